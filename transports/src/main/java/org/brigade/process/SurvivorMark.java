package org.brigade.process;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;

/**
 * How a rank tells mpjrun that it goes on when other ranks are killed: it holds a file open that has lost its name. Who
 * looks sees in /proc what the name was; the mark ends with the process, however that ends, and nothing is left of it.
 */
public final class SurvivorMark {
    private static final String NAME = "brigade-survivor~";
    /** Kept open by being kept. */
    private static RandomAccessFile mark;

    private SurvivorMark() {
    }

    /**
     * Marks this process. Where no file can be made there will be no mark, and mpjrun ends the job as it always does.
     */
    public static synchronized void set() {
        if (mark == null && !setIn(System.getProperty("java.io.tmpdir"))) {
            setIn("/dev/shm");
        }
    }

    private static boolean setIn(String directory) {
        File file = new File(directory, NAME + ProcessHandle.current().pid() + "~" + System.nanoTime());
        try {
            mark = new RandomAccessFile(file, "rw");
        } catch (IOException notHere) {
            return false;
        }
        file.delete();
        return true;
    }

    /** Whether a process has been marked; false if that cannot be seen. */
    public static boolean isOn(long pid) {
        File directory = new File("/proc/" + pid + "/fd");
        String[] files = directory.list();
        for (int i = 0; files != null && i < files.length; i++) {
            try {
                if (Files.readSymbolicLink(new File(directory, files[i]).toPath()).toString()
                    .contains("/" + NAME + pid + "~")) {
                    return true;
                }
            } catch (IOException closedMeanwhile) {
                // The next one.
            }
        }
        return false;
    }
}

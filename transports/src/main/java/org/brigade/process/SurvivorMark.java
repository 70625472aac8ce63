package org.brigade.process;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/**
 * How a rank tells mpjrun that it goes on when other ranks are killed: it holds an unlinked file open. Mpjrun sees the
 * file's former name in /proc. The mark ends with the process, however that ends, and leaves nothing behind.
 */
public final class SurvivorMark {
    private static final String NAME = "brigade-survivor~";
    /** A reference, so that the file stays open. */
    private static FileChannel mark;

    private SurvivorMark() {
    }

    /** Marks this process. If no file can be made there is no mark, and mpjrun ends the job as usual. */
    public static synchronized void set() {
        if (mark == null && !setIn(System.getProperty("java.io.tmpdir"))) {
            setIn("/dev/shm");
        }
    }

    private static boolean setIn(String directory) {
        File file = new File(directory, NAME + ProcessHandle.current().pid() + "~" + System.nanoTime());
        try {
            mark = FileChannel.open(file.toPath(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
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
                // Try the next one.
            }
        }
        return false;
    }
}

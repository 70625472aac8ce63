package org.brigade.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How a rank tells mpjrun that it goes on when other ranks are killed: it holds an unlinked file open. Mpjrun sees the
 * file's former name in /proc. The mark ends with the process, however that ends, and leaves nothing behind.
 */
public final class SurvivorMark {
    private static final String WHAT = "survivor";
    private static final String[] DIRECTORIES = {"/dev/shm", System.getProperty("java.io.tmpdir")};
    /** A reference, so that the file stays open. */
    private static NamelessFile mark;

    private SurvivorMark() {
    }

    /** Marks this process. If no file can be made there is no mark, and mpjrun ends the job as usual. */
    public static synchronized void set() {
        for (int i = 0; mark == null && i < DIRECTORIES.length; i++) {
            try {
                mark = NamelessFile.make(Path.of(DIRECTORIES[i]), WHAT);
            } catch (IOException notHere) {
                // Try the next one.
            }
        }
    }

    /** Whether a process has been marked; false if that cannot be seen. */
    public static boolean isOn(long pid) {
        File directory = new File("/proc/" + pid + "/fd");
        String[] files = directory.list();
        for (int i = 0; files != null && i < files.length; i++) {
            try {
                String name = Files.readSymbolicLink(new File(directory, files[i]).toPath()).toString();
                if (name.contains("-" + WHAT)
                    && name.contains(MakerName.MAKER + Long.toString(pid) + MakerName.MAKER)) {
                    return true;
                }
            } catch (IOException closedMeanwhile) {
                // Try the next one.
            }
        }
        return false;
    }
}

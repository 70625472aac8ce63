package org.brigade.process;

import java.io.IOException;
import java.nio.file.Path;

/**
 * How a rank tells mpjrun that it goes on when other ranks are killed: it holds a file open ({@link NamelessFile}),
 * whose name tells the process. The mark ends with the process, however that ends.
 */
public final class SurvivorMark {
    private static final String WHAT = "survivor";
    /** A reference, so that the file stays open. */
    private static NamelessFile mark;

    private SurvivorMark() {
    }

    /** Marks this process. If no file can be made there is no mark, and mpjrun ends the job as usual. */
    public static synchronized void set() {
        for (int i = 0; mark == null && i < 2; i++) {
            try {
                mark = NamelessFile.make(
                    i == 0 ? Platform.here().folder() : Path.of(System.getProperty("java.io.tmpdir")), WHAT);
            } catch (IOException notHere) {
                // Try the next one.
            }
        }
    }

    /** Whether a process has been marked; false if that cannot be seen. */
    public static boolean isOn(long pid) {
        return NamelessFile.isHeld(pid, WHAT);
    }
}

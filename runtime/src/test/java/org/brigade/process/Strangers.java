package org.brigade.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Another user of this machine. Only root can act as one, so tests that need one are skipped where they run as somebody
 * else.
 */
public final class Strangers {
    private static final int UID = 54_321;

    private Strangers() {
    }

    /** Makes a file another user's, as if he had made it. */
    public static void give(Path file) throws Exception {
        assumeTrue((int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0,
            "needs root to make files of another user");
        Files.setAttribute(file, "unix:uid", UID);
    }
}

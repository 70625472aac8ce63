package org.brigade.cli.shared;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where standard input (0), standard output (1) and standard error (2) lead. */
public final class StandardStream {
    private StandardStream() {
    }

    /** Whether to a terminal; {@link System#console} is there without one, too, from Java 22 on. */
    public static boolean isTerminal(int descriptor) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString()
                .matches("/dev/(pts/|tty|console).*");
        } catch (IOException e) {
            return false;
        }
    }
}

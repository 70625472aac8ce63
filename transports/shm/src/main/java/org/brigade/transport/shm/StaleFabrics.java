package org.brigade.transport.shm;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.brigade.process.FileFacts;
import org.brigade.process.Platform;

/**
 * Removes the tables of emulated SISCI fabrics whose processes have all been killed, by the rules of {@code fabric.c}:
 * byte 0 is locked by who joins or leaves, each later byte by a process that lives.
 */
final class StaleFabrics {
    private static final String PREFIX = "brigade-sisci-";

    private StaleFabrics() {
    }

    /** Looks at one file; does nothing if its name is not one of a fabric's tables. */
    static void remove(File directory, String name, int uid) {
        String own = System.getenv("BRIGADE_SISCI_FABRIC");
        // A process that closes its own fabric's file loses its locks there.
        if (!name.startsWith(PREFIX) || name.equals(PREFIX + own)) {
            return;
        }
        Path path = new File(directory, name).toPath();
        try {
            FileFacts there = Platform.here().file(path, false);
            if (there.owner() != uid || !there.isRegular()) {
                return;
            }
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS)) {
                FileLock joining = file.tryLock(0, 1, false);
                FileLock living = joining == null ? null : file.tryLock(1, Integer.MAX_VALUE, false);
                if (living != null) {
                    Files.deleteIfExists(path);
                }
            }
        } catch (IOException | RuntimeException inUse) {
            // Somebody else removes it, or uses it in this process.
        }
    }
}

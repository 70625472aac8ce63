package org.brigade.recording;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.brigade.process.FileFacts;
import org.brigade.process.Platform;

/**
 * The folder of a trace. Nobody else may write to it: a link of another user's would lead what is written here into
 * files of this user's. A new folder has mode 0700.
 */
public final class TraceFolder {
    private static final int OTHERS_WRITE = 0002;

    private TraceFolder() {
    }

    /**
     * The folder at a path, which is made if it is missing.
     *
     * @throws IOException with a sentence, if others can write to it; or if it cannot be made
     */
    public static Path at(Path folder) throws IOException {
        Path path = folder.toAbsolutePath().normalize();
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            if (path.getParent() != null) {
                Files.createDirectories(path.getParent());
            }
            try {
                Platform.here().createFolder(path);
            } catch (FileAlreadyExistsException another) {
                // Another rank was faster, or another user: it is checked.
            }
        }
        FileFacts its = Platform.here().file(path, false);
        require(path, its);
        if (its.isLink()) {
            its = Platform.here().file(path, true);
            require(path, its);
        }
        if ((its.permissions() & OTHERS_WRITE) != 0) {
            throw new IOException(path + " can be written to by others; name a folder that only you can write to");
        }
        return path;
    }

    private static void require(Path path, FileFacts its) throws IOException {
        if (its.owner() != Platform.here().user() && its.owner() != 0) {
            throw new IOException(path + " belongs to user " + its.owner() + "; name a folder of your own");
        }
    }

    /** Writes a file that appears complete. It replaces what has its name, and follows no link. */
    public static void put(Path folder, String name, Content content) throws IOException {
        Path part = Files.createTempFile(folder, name + ".", ".part");
        try {
            content.write(part);
            Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Writes a file's content. */
    public interface Content {
        void write(Path file) throws IOException;
    }
}

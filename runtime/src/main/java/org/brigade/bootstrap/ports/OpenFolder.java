package org.brigade.bootstrap.ports;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.brigade.process.Platform;
import org.brigade.setting.Portable;

/**
 * A folder of this user's with mode 0700, by its descriptor. The folder of ports is removed whenever it is empty, and
 * another user may then take its name. What is read and written here is in the folder that was checked, whatever lies
 * at its path by now. Links are not followed.
 *
 * <p>
 * In the portable mode it is a folder in the user's own folder, and used by its path.
 *
 * <p>
 * Its channels are closed by an interrupt: use it in a {@link org.brigade.interrupt.FileStep}.
 */
final class OpenFolder implements Closeable {
    private static final Set<PosixFilePermission> OURS = EnumSet.of(PosixFilePermission.OWNER_READ,
        PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE = PosixFilePermissions
        .asFileAttribute(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    private static final Set<OpenOption> THERE = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    private final Path path;
    /** Null in the portable mode. */
    private final SecureDirectoryStream<Path> folder;

    private OpenFolder(Path path, SecureDirectoryStream<Path> folder) {
        this.path = path;
        this.folder = folder;
    }

    /** @throws IOException if there is no such folder, or it is not this user's alone */
    static OpenFolder at(Path path) throws IOException {
        if (Portable.ON) {
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new NoSuchFileException(path.toString());
            }
            return new OpenFolder(path, null);
        }
        OpenFolder open = new OpenFolder(path, (SecureDirectoryStream<Path>) Files.newDirectoryStream(path));
        try {
            PosixFileAttributes its =
                open.folder.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
            if (!its.owner().equals(Files.getOwner(Path.of("/proc/self"))) || !its.permissions().equals(OURS)) {
                throw new IOException(path + " is a folder of user " + its.owner() + " with permissions "
                    + PosixFilePermissions.toString(its.permissions()));
            }
            return open;
        } catch (IOException | RuntimeException wrong) {
            open.close();
            throw wrong;
        }
    }

    byte[] read(String name) throws IOException {
        try (SeekableByteChannel file = folder == null ? Files.newByteChannel(path.resolve(name), THERE)
            : folder.newByteChannel(Path.of(name), THERE)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            while (bytes.hasRemaining()) {
                if (file.read(bytes) < 0) {
                    throw new EOFException(name + " has been shortened");
                }
            }
            return bytes.array();
        }
    }

    /** Writes a file that must not exist. */
    void write(String name, byte[] bytes) throws IOException {
        try (SeekableByteChannel file = folder == null ? Platform.here().create(path.resolve(name))
            : folder.newByteChannel(Path.of(name), NEW, PRIVATE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                file.write(left);
            }
        }
    }

    /** Renames a file. It replaces what has the other name. */
    void move(String from, String to) throws IOException {
        if (folder == null) {
            Files.move(path.resolve(from), path.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        } else {
            folder.move(Path.of(from), folder, Path.of(to));
        }
    }

    /** Removes a file if it is there. */
    void delete(String name) {
        try {
            if (folder == null) {
                Files.delete(path.resolve(name));
            } else {
                folder.deleteFile(Path.of(name));
            }
        } catch (IOException gone) {
            // Another process was faster.
        }
    }

    @Override
    public void close() throws IOException {
        if (folder != null) {
            folder.close();
        }
    }
}

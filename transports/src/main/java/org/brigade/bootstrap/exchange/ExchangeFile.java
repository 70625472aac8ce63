package org.brigade.bootstrap.exchange;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;

/**
 * The launcher's side of an exchange: a file that is unlinked before any rank starts and that the launcher holds open.
 * Ranks open it through /proc, as a file of the launcher; so nothing is left of it, whatever process dies when.
 */
public final class ExchangeFile implements AutoCloseable {
    private static final String[] DIRECTORIES = {"/dev/shm", System.getProperty("java.io.tmpdir")};

    private final RandomAccessFile file;
    private final String place;

    private ExchangeFile(RandomAccessFile file, String place) {
        this.file = file;
        this.place = place;
    }

    /** @throws IOException if there is no room for it, or no /proc */
    public static ExchangeFile create(int ranks) throws IOException {
        IOException failure = null;
        for (String directory : DIRECTORIES) {
            try {
                return create(ranks, new File(directory));
            } catch (IOException notHere) {
                failure = notHere;
            }
        }
        throw failure;
    }

    private static ExchangeFile create(int ranks, File directory) throws IOException {
        Path path =
            directory.toPath().resolve("brigade-exchange~" + ProcessHandle.current().pid() + "~" + System.nanoTime());
        Files.createFile(path, PosixFilePermissions
            .asFileAttribute(EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)));
        RandomAccessFile file = null;
        try {
            file = new RandomAccessFile(path.toFile(), "rw");
            String place = descriptor(path.toRealPath());
            file.write(new byte[ExchangeDescriptor.bytes(ranks)]);
            ExchangeFile made = new ExchangeFile(file, place);
            file = null;
            return made;
        } finally {
            Files.delete(path);
            if (file != null) {
                file.close();
            }
        }
    }

    /** The path by which other processes can open a file that this process has open. */
    private static String descriptor(Path path) throws IOException {
        String[] open = new File("/proc/self/fd").list();
        for (int i = 0; open != null && i < open.length; i++) {
            try {
                if (Files.readSymbolicLink(Path.of("/proc/self/fd", open[i])).equals(path)) {
                    return "/proc/" + ProcessHandle.current().pid() + "/fd/" + open[i];
                }
            } catch (IOException closedMeanwhile) {
                // Try the next one.
            }
        }
        throw new IOException("/proc/self/fd does not show " + path);
    }

    /** The path by which ranks open it, as long as the launcher lives: {@code /proc/4711/fd/7}. */
    public String place() {
        return place;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException ignored) {
            // Its content is no longer needed.
        }
    }
}

package org.brigade.bootstrap.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.brigade.process.NamelessFile;

/**
 * The launcher's side of an exchange: a file that is unlinked before any rank starts and that the launcher holds open.
 * Ranks open it through /proc, as a file of the launcher; so nothing is left of it, whatever process dies when.
 */
public final class ExchangeFile implements AutoCloseable {
    private static final String[] DIRECTORIES = {"/dev/shm", System.getProperty("java.io.tmpdir")};

    private final NamelessFile file;

    private ExchangeFile(NamelessFile file) {
        this.file = file;
    }

    /** @throws IOException if there is no room for it, or no /proc */
    public static ExchangeFile create(int ranks) throws IOException {
        IOException failure = null;
        for (String directory : DIRECTORIES) {
            try {
                return create(ranks, Path.of(directory));
            } catch (IOException notHere) {
                failure = notHere;
            }
        }
        throw failure;
    }

    private static ExchangeFile create(int ranks, Path directory) throws IOException {
        NamelessFile file = NamelessFile.make(directory, "exchange");
        ByteBuffer zeros = ByteBuffer.allocate(ExchangeDescriptor.bytes(ranks));
        try (FileChannel open = file.open()) {
            while (zeros.hasRemaining()) {
                open.write(zeros);
            }
            return new ExchangeFile(file);
        } catch (IOException noRoom) {
            file.close();
            throw noRoom;
        }
    }

    /** The path by which ranks open it, as long as the launcher lives: {@code /proc/4711/fd/7}. */
    public String place() {
        return file.place();
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

package mpi.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The file pointer that the ranks of a file share. Ranks make progress only inside their calls, so no rank can keep it
 * for the others; it lies in a small hidden file beside the data, as one long, which a rank changes under a lock. The
 * file is made by the first call that needs it, with mode 0600, and removed when the data file is closed.
 */
public final class SharedPointer {
    private final Path path;
    /** The value while nobody has written one. */
    private final long initial;
    private FilePlaces channel;

    public SharedPointer(Path path, long initial) {
        this.path = path;
        this.initial = initial;
    }

    /** Whether this rank has used it. */
    public synchronized boolean isUsed() {
        return channel != null;
    }

    /** Adds to the pointer; returns its value before. */
    public long advance(long by) throws IOException {
        return change(by, true);
    }

    public void set(long value) throws IOException {
        change(value, false);
    }

    public long get() throws IOException {
        return change(0, true);
    }

    private synchronized long change(long value, boolean adds) throws IOException {
        if (channel == null) {
            channel = FilePlaces.open(path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE, LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        FileLock lock = channel.lock(0, Long.BYTES, false);
        try {
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
            boolean there = channel.read(bytes, 0) == Long.BYTES;
            long before = there ? bytes.getLong(0) : initial;
            long after = adds ? Math.addExact(before, value) : value;
            if (!there || after != before) {
                channel.write(bytes.clear().putLong(0, after), 0);
            }
            return before;
        } catch (ArithmeticException e) {
            throw new IOException("the shared pointer would exceed a long", e);
        } finally {
            lock.release();
        }
    }

    /** Closes this rank's end. */
    public synchronized void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }

    /** Removes the file, once all ranks have closed it. */
    public void delete() throws IOException {
        Files.deleteIfExists(path);
    }
}

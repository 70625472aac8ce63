package mpi.front.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** An open file of this process. Reads and writes say where; the channel's own position is not used. */
public final class StoredFile {
    /** Bytes handed to the channel at a time: for arrays, Java copies so much to native memory. */
    private static final int PIECE = 1 << 20;
    private static final Set<String> LOCAL =
        Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "tmpfs", "overlay");
    /** A process may not lock one region twice, whatever threads ask. */
    private static final ReentrantLock LOCKS = new ReentrantLock();

    public final Path path;
    private final FilePlaces channel;
    private final boolean writable;
    /** Whether this process has made the file, so that its directory must be forced too. */
    private boolean made;

    private StoredFile(Path path, FilePlaces channel, boolean writable, boolean made) {
        this.path = path;
        this.channel = channel;
        this.writable = writable;
        this.made = made;
    }

    /**
     * @param create makes the file if there is none
     * @param exclusive fails if there is one; with {@code create}
     */
    public static StoredFile open(Path path, boolean reads, boolean writes, boolean create, boolean exclusive)
        throws IOException {
        Set<OpenOption> options = new HashSet<>();
        if (reads) {
            options.add(StandardOpenOption.READ);
        }
        if (writes) {
            options.add(StandardOpenOption.WRITE);
        }
        if (create) {
            options.add(exclusive ? StandardOpenOption.CREATE_NEW : StandardOpenOption.CREATE);
        }
        return new StoredFile(path, FilePlaces.open(path, options), writes, create);
    }

    public long size() throws IOException {
        return channel.size();
    }

    /** Reads n bytes; fewer if the file ends before. Returns how many. */
    public int read(byte[] into, int from, int n, long at) throws IOException {
        return read(ByteBuffer.wrap(into), from, n, at);
    }

    /** The same, into a buffer of any kind; its position and limit do not count. */
    int read(ByteBuffer into, int from, int n, long at) throws IOException {
        ByteBuffer rest = into.duplicate();
        int done = 0;
        while (done < n) {
            int got = channel.read(rest.limit(from + next(into, done, n)).position(from + done), at + done);
            if (got < 0) {
                break;
            }
            done += got;
        }
        return done;
    }

    /** Where the next access ends. */
    private static int next(ByteBuffer memory, int done, int n) {
        return memory.isDirect() ? n : Math.min(n, done + PIECE);
    }

    /** Writes n bytes. */
    public void write(byte[] out, int from, int n, long at) throws IOException {
        write(ByteBuffer.wrap(out), from, n, at);
    }

    /** The same, from a buffer of any kind; its position and limit do not count. */
    void write(ByteBuffer out, int from, int n, long at) throws IOException {
        ByteBuffer rest = out.duplicate();
        int done = 0;
        while (done < n) {
            done += channel.write(rest.limit(from + next(out, done, n)).position(from + done), at + done);
        }
    }

    /** Cuts the file, or makes it longer without allocating the bytes between. */
    public void resize(long size) throws IOException {
        if (size > channel.size()) {
            write(new byte[1], 0, 1, size - 1);
        } else {
            channel.truncate(size);
        }
    }

    /** Whether the file lies on a disk or in the memory of this machine, so that a write costs no message. */
    public boolean isLocal() throws IOException {
        return LOCAL.contains(Files.getFileStore(path).type());
    }

    /** Whether the file system has room for a file that long. */
    public boolean fits(long size) throws IOException {
        return size - channel.size() <= Files.getFileStore(path).getUsableSpace();
    }

    /** Allocates the first {@code size} bytes. Those that exist are read and written again, as some may be holes. */
    public void allocate(long size) throws IOException {
        try (FilePlaces both = FilePlaces.open(path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE))) {
            ByteBuffer bytes = ByteBuffer.allocate(PIECE);
            for (long at = 0; at < size; at += PIECE) {
                bytes.clear().limit((int) Math.min(PIECE, size - at));
                while (bytes.hasRemaining() && both.read(bytes, at + bytes.position()) >= 0) {
                    // the next part of it
                }
                while (bytes.hasRemaining()) {
                    bytes.put((byte) 0);
                }
                bytes.flip();
                while (bytes.hasRemaining()) {
                    both.write(bytes, at + bytes.position());
                }
            }
        }
    }

    /** Returns when all that was written is on the disk: data, length, and the name of a new file. */
    public void force() throws IOException {
        if (!writable) {
            return;
        }
        channel.force();
        if (made) {
            forceDirectory();
            made = false;
        }
    }

    private void forceDirectory() throws IOException {
        try (FilePlaces directory =
            FilePlaces.open(path.toAbsolutePath().getParent(), Set.of(StandardOpenOption.READ))) {
            directory.force();
        } catch (AccessDeniedException e) {
            // A directory that may be entered but not listed; its owner answers for it.
        }
    }

    /** What is done while no other process that locks too reads or writes a region. */
    public interface Access {
        long run() throws IOException;
    }

    /** Runs an access while this process has a region for itself, or, to read, together with other readers. */
    public long locked(long from, long bytes, boolean shared, Access access) throws IOException {
        LOCKS.lock();
        try {
            FileLock lock = channel.lock(from, bytes, shared);
            try {
                return access.run();
            } finally {
                lock.release();
            }
        } finally {
            LOCKS.unlock();
        }
    }

    public void close() throws IOException {
        channel.close();
    }
}

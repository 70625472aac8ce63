package org.brigade.transport.staging;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.brigade.interrupt.FileStep;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.Mapping;
import org.brigade.setting.Setting;

/**
 * Host memory through which one rank's device memory goes to one other rank. It is a ring of chunks, so that the copy
 * into one chunk and the copy out of another run at once. Each direction and lane between two ranks has its own, made
 * when first needed.
 *
 * <pre>
 *   0              128              256              4096
 *   +--------------+----------------+----------------+---------+---------+-----
 *   | making       | sender's line  | receiver's line| chunk 0 | chunk 1 | ...
 *   +--------------+----------------+----------------+---------+---------+-----
 *     0 chunk bytes  128 filled       256 freed
 *     8 chunks
 * </pre>
 *
 * <p>
 * {@code filled} counts the chunks that the sender has ever filled, {@code freed} those that the receiver has ever
 * emptied; chunk k lies at place {@code k % chunks}. The sender owns a chunk until {@code setRelease(filled)}, the
 * receiver from its {@code getAcquire} until {@code setRelease(freed)}. Every stretch of bytes begins with a fresh
 * chunk and fills all of its chunks but the last up to {@link #piece}.
 */
public final class StagingArea {
    /**
     * Bytes of a chunk: long enough that a copy's fixed cost does not count, short enough that the other side begins
     * soon.
     */
    private static final int CHUNK_BYTES = (int) Setting.number("staging.chunk");
    private static final int CHUNKS = (int) Setting.number("staging.chunks");

    private static final int PAGE = 4096;
    private static final int SMALLEST_CHUNK = 64 << 10;
    private static final int SMALLEST_PIECE = 128 << 10;
    private static final int FEWEST_CHUNKS = 2;
    private static final int ZEROS = 256 << 10;

    private static final int BYTES_A_CHUNK = 0;
    private static final int COUNT = 8;
    private static final int FILLED = 128;
    private static final int FREED = 256;

    final NativeMemory memory;
    final int chunkBytes;
    final int chunks;

    private StagingArea(NativeMemory memory, int chunkBytes, int chunks) {
        this.memory = memory;
        this.chunkBytes = chunkBytes;
        this.chunks = chunks;
    }

    /**
     * Makes an area in a file that must not exist yet. The area is smaller than asked for if there is less room.
     *
     * @return null if there is no room even for the smallest; then there is no file
     */
    public static StagingArea make(Path file) {
        int chunks = Math.max(FEWEST_CHUNKS, CHUNKS);
        int chunkBytes = Math.max(SMALLEST_CHUNK, Math.min(CHUNK_BYTES, (Integer.MAX_VALUE - PAGE) / chunks) & -PAGE);
        while (chunkBytes >= SMALLEST_CHUNK) {
            StagingArea made = make(file, chunkBytes, chunks);
            if (made != null) {
                return made;
            }
            chunkBytes = chunkBytes / 2 & -PAGE;
        }
        return null;
    }

    /**
     * Like {@link #make(Path)}, but of exactly this size or not at all. It writes to all of the area, so that a lack of
     * room shows here and not as a SIGBUS later.
     */
    static StagingArea make(Path file, int chunkBytes, int chunks) {
        Set<OpenOption> options =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> ours = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        int bytes = PAGE + chunkBytes * chunks;
        try {
            FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(ours)).close();
            NativeMemory memory = mapped(file, bytes);
            memory.putLong(BYTES_A_CHUNK, chunkBytes);
            memory.putLong(COUNT, chunks);
            return new StagingArea(memory, chunkBytes, chunks);
        } catch (IOException noRoom) {
            discard(file);
            return null;
        }
    }

    /**
     * Maps the area that a peer has made, and removes its name. From now on only the two mappings keep it.
     *
     * @throws IOException if it is not there
     */
    public static StagingArea open(Path file) throws IOException {
        try {
            NativeMemory memory = mapped(file, 0);
            return new StagingArea(memory, (int) memory.getLong(BYTES_A_CHUNK), (int) memory.getLong(COUNT));
        } finally {
            discard(file);
        }
    }

    /** Maps a file; first fills so many bytes with zeros. */
    private static NativeMemory mapped(Path file, int fill) throws IOException {
        return new FileStep<NativeMemory>() {
            @Override
            protected NativeMemory attempt() throws IOException {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS)) {
                    ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(ZEROS, fill));
                    for (long at = 0; at < fill;) {
                        zeros.clear().limit((int) Math.min(ZEROS, fill - at));
                        at += channel.write(zeros, at);
                    }
                    return new NativeMemory(Mapping.map(channel, channel.size()));
                }
            }
        }.run();
    }

    /** Removes a file's name if it is still there. */
    public static void discard(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException kept) {
            // The name tells its maker: a later job removes the file.
        }
    }

    /**
     * Bytes in each chunk of a stretch but the last, a multiple of a page. Short stretches are cut too, so that both
     * sides copy at once.
     */
    int piece(long stretch) {
        long share = (stretch / chunks + PAGE - 1) & -PAGE;
        return (int) Math.min(chunkBytes, Math.max(Math.min(SMALLEST_PIECE, chunkBytes), share));
    }

    int position(long chunk) {
        return PAGE + (int) (chunk % chunks) * chunkBytes;
    }

    long filled() {
        return memory.getLongAcquire(FILLED);
    }

    void fill(long count) {
        memory.putLongRelease(FILLED, count);
    }

    long freed() {
        return memory.getLongAcquire(FREED);
    }

    void free(long count) {
        memory.putLongRelease(FREED, count);
    }
}

package org.brigade.transport.staging;

import java.io.IOException;
import org.brigade.memory.NativeMemory;
import org.brigade.setting.Setting;
import org.brigade.transport.NodeMemory;

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

    private static final int BYTES_A_CHUNK = 0;
    private static final int COUNT = 8;
    private static final int FILLED = 128;
    private static final int FREED = 256;

    final NativeMemory memory;
    private final long at;
    final int chunkBytes;
    final int chunks;

    private StagingArea(NativeMemory memory, long at, int chunkBytes, int chunks) {
        this.memory = memory;
        this.at = at;
        this.chunkBytes = chunkBytes;
        this.chunks = chunks;
    }

    /**
     * Makes an area. It is smaller than asked for if there is less room.
     *
     * @return null if there is no room even for the smallest
     */
    public static StagingArea make(NodeMemory node) {
        int chunks = Math.max(FEWEST_CHUNKS, CHUNKS);
        int chunkBytes = Math.max(SMALLEST_CHUNK, Math.min(CHUNK_BYTES, (Integer.MAX_VALUE - PAGE) / chunks) & -PAGE);
        while (chunkBytes >= SMALLEST_CHUNK) {
            StagingArea made = make(node, chunkBytes, chunks);
            if (made != null) {
                return made;
            }
            chunkBytes = chunkBytes / 2 & -PAGE;
        }
        return null;
    }

    /** Like {@link #make(NodeMemory)}, but of exactly this size or not at all. */
    static StagingArea make(NodeMemory node, int chunkBytes, int chunks) {
        int bytes = PAGE + chunkBytes * chunks;
        long at = -1;
        try {
            at = node.reserve(bytes);
            node.fill(at, bytes);
            NativeMemory memory = new NativeMemory(node.map(at, bytes));
            memory.putLong(BYTES_A_CHUNK, chunkBytes);
            memory.putLong(COUNT, chunks);
            return new StagingArea(memory, at, chunkBytes, chunks);
        } catch (IOException noRoom) {
            if (at >= 0) {
                node.release(at, bytes);
                node.end(at, bytes);
            }
            return null;
        }
    }

    /** Maps the area that a peer has made. */
    public static StagingArea open(NodeMemory node, long at, long bytes) throws IOException {
        NativeMemory memory = new NativeMemory(node.map(at, (int) bytes));
        return new StagingArea(memory, at, (int) memory.getLong(BYTES_A_CHUNK), (int) memory.getLong(COUNT));
    }

    /** Where it lies in the node's memory. */
    public long at() {
        return at;
    }

    public long bytes() {
        return memory.capacity();
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

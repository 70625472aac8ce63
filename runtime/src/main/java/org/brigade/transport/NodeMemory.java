package org.brigade.transport;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Memory that ranks of a node share. All of it lies in one file, on Linux without a name, that each of these ranks has
 * open from Init on: the memory ends with the processes, however they end. One rank reserves a stretch and tells the
 * others where it lies; each maps it.
 *
 * <p>
 * The memory of a stretch exists once it has been filled. Reserving takes none, so several ranks can share the work of
 * filling.
 */
public interface NodeMemory {
    /** Bytes up to which a stretch is kept mapped after its end, and costs no call of the system when used again. */
    int SMALL = 1 << 20;

    /**
     * Reserves a stretch, from a page on.
     *
     * @return where it lies, for all ranks of the node
     */
    long reserve(long bytes) throws IOException;

    /** Fills a part of a reserved stretch with zeros, so that a lack of memory shows here. */
    void fill(long at, long bytes) throws IOException;

    /** Maps a part of a reserved stretch. */
    ByteBuffer map(long at, int bytes) throws IOException;

    /**
     * The same as a mapping of its own, of which the buffer is the first: no other buffer's memory is mapped with it.
     */
    ByteBuffer mapAlone(long at, int bytes) throws IOException;

    /**
     * Gives back the memory of a part that nobody uses any more; who reads it then finds zeros. A small part keeps its
     * memory, for the next stretch.
     */
    void release(long at, long bytes);

    /** The stretch may be reserved again, by this rank: nobody uses it any more, and its memory has been released. */
    void end(long at, long bytes);

    /** Bytes that are free for such memory, for messages. */
    long free();

    /** Where the memory lies, for messages: {@code /dev/shm}. */
    String place();
}

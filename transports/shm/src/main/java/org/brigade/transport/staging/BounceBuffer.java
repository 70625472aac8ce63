package org.brigade.transport.staging;

import org.brigade.memory.NativeMemory;

/**
 * Host memory that bytes pass on their way out of device memory or into it: a link's ring, a staging area, pieces of a
 * link behind, the memory of a DMA channel. This is all that a {@link Pipeline} needs from a transport. Bytes are
 * numbered by their place in the stretch that the pipeline moves.
 */
public interface BounceBuffer {
    /**
     * How many bytes from the given one on may be copied now, in one piece. On the way out there is room for them; on
     * the way in they have arrived. 0 if there are none.
     */
    int stretch(long from);

    /** The memory that holds a byte, or is to hold it. Call {@link #stretch} for that byte first. */
    NativeMemory memory(long from);

    /** The byte's position in that memory. */
    default int position(long from) {
        return 0;
    }

    /**
     * All bytes before this one have been copied. On the way out they may be sent; on the way in their room is free.
     */
    default void copied(long end) {
    }
}

package org.brigade.transport.staging;

import org.brigade.memory.NativeMemory;

/**
 * Host memory that bytes pass on their way out of device memory or into it: a link's ring, a staging area, pieces of a
 * link behind, the memory of a DMA channel. All a {@link Pipeline} asks of a transport. Bytes are numbered by their
 * place in the stretch that the pipeline moves.
 */
public interface BounceBuffer {
    /**
     * Bytes from the given one on, in one piece, that may be copied now: on the way out there is room for them, on the
     * way in they have come. 0 if there are none.
     */
    int stretch(long from);

    /** The memory in which a byte is, or is to be; after {@link #stretch} for it. */
    NativeMemory memory(long from);

    /** Where in that memory. */
    default int position(long from) {
        return 0;
    }

    /** All bytes before this one have been copied: on the way out they may go on, on the way in their room is free. */
    default void copied(long end) {
    }
}

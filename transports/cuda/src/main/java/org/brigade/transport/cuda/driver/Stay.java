package org.brigade.transport.cuda.driver;

import org.brigade.memory.NativeMemory;

/**
 * One launch of a kernel of ours that stays on a GPU and says when it goes. As long as it is there, memory of the GPU's
 * primary context that was there before still is: cuMemFree waits for all kernels of its context. So whoever has asked
 * the driver about memory since the launch need not ask again. Only cuMemFreeAsync does not wait; so in resident mode
 * programs may not use it for memory of cuMemAlloc. Any thread.
 */
public final class Stay {
    /** Null when the memory with the word may be freed. */
    private NativeMemory memory;
    private final int at;
    private final long number;

    /**
     * @param at offset of the word in which kernels write their numbers as they go
     * @param number of this launch; those of a word grow
     */
    public Stay(NativeMemory memory, int at, long number) {
        this.memory = memory;
        this.at = at;
        this.number = number;
    }

    /** Whether the kernel has been there since its launch. */
    public synchronized boolean lasts() {
        return memory != null && memory.getLongAcquire(at) < number;
    }

    /** Nobody looks at the word any more. */
    public synchronized void end() {
        memory = null;
    }
}

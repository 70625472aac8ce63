package org.brigade.transport.cuda.copy;

import jcuda.Pointer;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.cuda.driver.PinnedMemory;

/** The one parameter of the carrying kernel, {@code struct Carry} of carry.cu. A test compares the two. */
final class CarryArguments {
    static final int DOORBELL = 0;
    static final int DONE = 8;
    static final int LEFT = 16;
    static final int NUMBER = 24;
    static final int IDLE = 32;
    static final int MOST = 40;
    static final int TICKET = 48;
    static final int SOURCE = 56;
    static final int TARGET = 64;
    static final int BYTES = 72;
    /** Size of the whole struct. */
    static final int SIZE = 80;

    private static final int STRUCT = 8;
    /** Bytes that this takes of page-locked memory: the list of parameters (one), then the struct. */
    static final int STRETCH = STRUCT + SIZE;

    private final NativeMemory memory;
    private final int at;
    private final Pointer parameters;

    CarryArguments(PinnedMemory pinned, int at) {
        memory = pinned.memory;
        this.at = at + STRUCT;
        memory.putLong(at, pinned.address + at + STRUCT);
        parameters = pinned.at(at);
    }

    /** For cuLaunchKernel. The driver copies the arguments before it returns. */
    Pointer parameters() {
        return parameters;
    }

    void putLong(int field, long value) {
        memory.putLong(at + field, value);
    }
}

package org.brigade.transport.cuda.pack;

import jcuda.Pointer;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.cuda.driver.PinnedMemory;

/** The one parameter of the packing kernels, {@code struct Packing} of pack.cu. A test compares the two. */
final class PackArguments {
    static final int MEMORY = 0;
    static final int PACKED = 8;
    static final int RUNS = 16;
    static final int FROM = 24;
    static final int BYTES = 32;
    static final int ITEM = 40;
    static final int STEP = 48;
    static final int AT = 56;
    static final int STRIDE = 64;
    static final int LENGTH = 72;
    static final int NUMBER = 80;
    static final int WIDTH = 84;
    /** Size of the whole struct. */
    static final int SIZE = 88;

    private static final int STRUCT = 8;

    private final PinnedMemory pinned;
    private final NativeMemory memory;
    private final Pointer parameters;

    /** Needs a current context. */
    PackArguments() {
        pinned = new PinnedMemory(STRUCT + SIZE);
        memory = pinned.memory;
        memory.putLong(0, pinned.address + STRUCT);
        parameters = pinned.at(0);
    }

    void free() {
        pinned.free();
    }

    /** For cuLaunchKernel. The driver copies the arguments before it returns. */
    Pointer parameters() {
        return parameters;
    }

    void putLong(int field, long value) {
        memory.putLong(STRUCT + field, value);
    }

    void putInt(int field, int value) {
        memory.bytes.putInt(STRUCT + field, value);
    }
}

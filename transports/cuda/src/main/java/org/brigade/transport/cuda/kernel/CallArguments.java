package org.brigade.transport.cuda.kernel;

import jcuda.Pointer;
import org.brigade.memory.NativeMemory;
import org.brigade.pattern.Order;
import org.brigade.transport.cuda.driver.PinnedMemory;

/**
 * The first parameter of every kernel, {@code struct Call} of call.cuh, in memory outside the heap, with the driver's
 * pointer to it. JCuda's own way of passing parameters makes a dozen objects a launch and takes 2 us; an existing block
 * takes 0.2. A test compares the offsets with the C++ text.
 */
public final class CallArguments {
    public static final int RANK = 0;
    public static final int RANKS = 4;
    public static final int ROOT = 8;
    public static final int FLAGS = 12;
    public static final int SEND = 16;
    public static final int RECV = 24;
    public static final int BLOCK = 32;
    public static final int SEND_STEP = 40;
    public static final int RECV_STEP = 48;
    public static final int ABORT = 56;
    public static final int FINISHED = 64;
    public static final int TICKET = 72;
    public static final int SCRATCH = 80;
    public static final int PEER_SEND = 144;
    public static final int PEER_RECV = 208;
    public static final int SEND_AT = 272;
    public static final int SEND_BYTES = 336;
    public static final int RECV_AT = 400;
    public static final int RECV_BYTES = 464;
    public static final int BYTES = 528;
    public static final int CHUNK = 536;
    public static final int TOLD = 544;
    /** Size of the whole struct. */
    public static final int SIZE = 552;

    public static final int MAX_RANKS = 8;
    static final int MAX_BLOCKS = 512;
    public static final long SCRATCH_BYTES = 64L << 20;
    static final long PACKETS_AT = 256 << 10;
    static final long PACKET_SLOT_BYTES = 512 << 10;
    static final long LINES_BYTES = 16 << 20;
    /** Offset of the pipelines' words. */
    static final long PIPELINES_AT = PACKETS_AT + 2 * MAX_RANKS * PACKET_SLOT_BYTES + LINES_BYTES;
    /** Bytes of a scratch for the windows of pipelines: the rest after the pipelines' four kinds of words. */
    public static final long WINDOWS_BYTES = SCRATCH_BYTES - PIPELINES_AT - 16L * 4 * MAX_BLOCKS * MAX_RANKS;
    /** Offset in a scratch of the word that tells why the last call gave up. */
    public static final int SCRATCH_STATUS = 128;
    /** Offset of the epoch; each peer's follow at this distance. */
    public static final int SCRATCH_EPOCH = 4;
    public static final int SCRATCH_ACKNOWLEDGED = 132 << 10;
    public static final int ACKNOWLEDGED_STEP = 64;
    public static final int IN_PLACE = 1;
    public static final int OVERLAPS = 2;
    public static final int MET = 4;
    public static final int WHOLE_LINES = 64;

    /** The list of parameters: a kernel that has one takes the first only. */
    public static final int LIST = 16;
    /** Bytes that this takes of page-locked memory: the list of parameters, then both. */
    public static final int STRETCH = LIST + SIZE + EdgeArguments.SIZE;

    private final NativeMemory memory;
    private final int struct;
    private final Pointer parameters;
    /** The second parameter, of {@code pairwise} alone. */
    public final EdgeArguments edges;
    private final long[] arranged = new long[MAX_RANKS];

    /**
     * In page-locked memory from {@code at} on, {@link #STRETCH} bytes, a multiple of 8. The address of such memory is
     * known without loading JNA.
     */
    public CallArguments(PinnedMemory pinned, int at) {
        memory = pinned.memory;
        struct = at + LIST;
        memory.putLong(at, pinned.address + struct);
        memory.putLong(at + 8, pinned.address + struct + SIZE);
        parameters = pinned.at(at);
        edges = new EdgeArguments(memory, struct + SIZE);
    }

    /** For cuLaunchKernel. The driver copies the arguments before it returns. */
    public Pointer parameters() {
        return parameters;
    }

    public void putInt(int field, int value) {
        memory.bytes.putInt(struct + field, value);
    }

    public void addFlags(int flags) {
        memory.bytes.putInt(struct + FLAGS, memory.bytes.getInt(struct + FLAGS) | flags);
    }

    public int getInt(int field) {
        return memory.bytes.getInt(struct + field);
    }

    public long getLong(int field) {
        return memory.bytes.getLong(struct + field);
    }

    public void putLong(int field, long value) {
        memory.bytes.putLong(struct + field, value);
    }

    /** The element of an array of 8-byte elements. */
    public void putLong(int field, int index, long value) {
        memory.bytes.putLong(struct + field + 8 * index, value);
    }

    /** Address on the GPU of the word that tells the call's end, and its value. */
    public long finished() {
        return memory.getLong(struct + FINISHED);
    }

    public long ticket() {
        return memory.getLong(struct + TICKET);
    }

    /** Reorders the elements of an array, which are by rank. */
    void arrange(int field, Order order) {
        int n = order.ranks();
        for (int position = 0; position < n; position++) {
            arranged[position] = memory.bytes.getLong(struct + field + 8 * order.rank(position));
        }
        putLongs(field, arranged, n);
    }

    /** The first {@code n} elements of an array. */
    public void putLongs(int field, long[] values, int n) {
        for (int i = 0; i < n; i++) {
            memory.bytes.putLong(struct + field + 8 * i, values[i]);
        }
    }
}

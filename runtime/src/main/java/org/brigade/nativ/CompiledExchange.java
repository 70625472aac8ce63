package org.brigade.nativ;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Small calls among the members of a communicator that publish blocks in shared memory, as compiled code: one native
 * call copies this rank's block in and publishes it, looks for those of the others, and gathers or sums them. It does
 * what {@code org.brigade.engine.FusedPull} does in Java, in the same memory, so members with and without the library
 * serve one call, and with the same bits.
 *
 * <p>
 * It is for calls that the JVM has not compiled yet: an interpreter calls it in 0.15 us, where Java's loops take some
 * 10 us a member. Many members are summed up faster than by compiled Java, too. It waits for a bounded number of looks
 * only. Meanwhile the JVM's collector can run: arrays are held for the copies alone. Under the progress lock.
 */
public final class CompiledExchange {
    /** Of {@link #run}: the call is done. */
    public static final int DONE = 0;
    /** All blocks are there, and Java must compare or end them. */
    public static final int UNFINISHED = 1;
    /** The JVM could not give the array; nothing has been done. */
    public static final int NO_ARRAY = 2;
    /**
     * This plus a rank: this rank's block is published, and that of the other was not there after all looks. Java waits
     * for it and goes on by {@link #end}.
     */
    public static final int LATE = 3;

    /** What comes after the exchange: nothing. */
    public static final int NOTHING = 0;
    /** All blocks go side by side into the buffer. */
    public static final int GATHER = 1;
    /** A stretch of all blocks is summed up, neighbours first. */
    public static final int NEAR_FIRST = 2;
    /** The same, in the order of recursive halving. */
    public static final int FAR_FIRST = 3;
    /** All blocks are summed up one after another, from rank 0 on. */
    public static final int RANK_ORDER = 4;

    /** How many looks one call makes first: some microseconds. */
    public static final int QUICK_LOOKS = 512;
    /** For a rank that spins, and nothing else could move meanwhile but in the next few microseconds. */
    public static final int SOME_LOOKS = 640;

    private static final int PUBLISHED = 1 << 24;
    private static final int YIELDS = 1 << 25;
    private static final int KIND_SHIFT = 8;
    private static final int OPERATOR_SHIFT = 16;
    private static final int SCRATCH = 16;
    private static final int CALLS = 24;
    private static final int TIME = 32;
    private static final int BEGUN = 40;
    private static final int SLOTS = 48;

    private final int ranks;
    /**
     * Rank, ranks, and addresses: of the scratch memory, of where calls are noted and counted, and of the members'
     * memory.
     */
    private final ByteBuffer table;
    private final long address;
    private ByteBuffer scratch;

    private CompiledExchange(long[] members, int rank, long calls, long time) {
        ranks = members.length;
        table = ByteBuffer.allocateDirect(SLOTS + Long.BYTES * ranks).order(ByteOrder.nativeOrder());
        address = BrigadeLibrary.address(table);
        table.putLong(0, rank);
        table.putLong(Long.BYTES, ranks);
        table.putLong(CALLS, calls);
        table.putLong(TIME, time);
        for (int member = 0; member < ranks; member++) {
            table.putLong(SLOTS + Long.BYTES * member, members[member]);
        }
        reserve(Long.BYTES);
    }

    /** Whether there can be one. Loads the library. */
    public static boolean isThere() {
        return BrigadeLibrary.LOADED;
    }

    /** What to tell the user if the library is in the jar but cannot be loaded; null if all is well. */
    public static String complaint() {
        return BrigadeLibrary.FAILURE == null ? null : complaint(BrigadeLibrary.FAILURE);
    }

    static String complaint(String failure) {
        return "the compiled library cannot be loaded (" + failure
            + "). All works without it, but the first thousand small"
            + " calls take up to ten times as long, and large ones are copied more often; let the home folder or"
            + " java.io.tmpdir allow execution, or say brigade.native=off";
    }

    /**
     * Of the members whose blocks lie at these addresses, by rank. The memory must outlive this object.
     *
     * @param rank this rank
     * @param calls where calls are noted: the entries of a flight recorder, and the node's time
     */
    public static CompiledExchange of(long[] members, int rank, long calls, long time) {
        return new CompiledExchange(members, rank, calls, time);
    }

    /** From now on, calls are counted there for the members to see: a word's address; 0: nowhere. */
    public void countsAt(long word) {
        table.putLong(BEGUN, word);
    }

    /** Makes room for calls with blocks so long: before the first of them. */
    public void reserve(int bytes) {
        int all = (ranks + 1) * (bytes + Long.BYTES - 1 & -Long.BYTES);
        if (scratch == null || scratch.capacity() < all) {
            scratch = ByteBuffer.allocateDirect(all);
            table.putLong(SCRATCH, BrigadeLibrary.address(scratch));
        }
    }

    /**
     * Publishes a block, and does all of the call if the other members' are there soon.
     *
     * @param block where blocks lie in the members' memory
     * @param tag of this call alone
     * @param what a word about the block; its lower half is the bytes of it
     * @param how of {@link #how}
     * @param send a primitive array and a byte in it, or null and an address
     * @param recv the same for the result
     * @param from the first byte of the stretch of the blocks that is summed up
     * @param length bytes of the stretch, or of each block
     * @param call the first word of the entry that notes this call if it is {@link #DONE}
     * @param entry the call's number there; negative: it is not to be noted
     * @param begun how many calls this rank has begun, for {@link #countsAt}; 0: that is there
     * @return {@link #DONE}, {@link #UNFINISHED}, {@link #NO_ARRAY}, or {@link #LATE} plus a rank
     */
    public int run(int block, long tag, long what, int how, Object send, long sendAt, Object recv, long recvAt,
        int from, int length, int looks, long call, int entry, long begun) {
        return BrigadeLibrary.exchange(address, block, tag, what, how, send, sendAt, recv, recvAt, from, length, looks,
            0, call, entry, begun);
    }

    /**
     * Goes on with a call that was {@link #LATE}: looks again, and then for some time. Never {@link #NO_ARRAY}.
     *
     * @param nanos of that time
     * @param yields whether it yields meanwhile, else it pauses
     */
    public int end(int block, long tag, long what, int how, Object recv, long recvAt, int from, int length, int looks,
        int nanos, boolean yields, long call, int entry) {
        return BrigadeLibrary.exchange(address, block, tag, what, how | PUBLISHED | (yields ? YIELDS : 0), null, 0,
            recv, recvAt, from, length, looks, nanos, call, entry, 0);
    }

    /**
     * What a call does.
     *
     * @param end what comes after the exchange
     * @param number of {@link CompiledReductions#number}
     */
    public static int how(int end, int number) {
        return number < 0 ? end : end | CompiledReductions.kind(number) << KIND_SHIFT
            | CompiledReductions.operator(number) << OPERATOR_SHIFT;
    }
}

package org.brigade.algorithm;

import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.ScheduledAlgorithm;

/**
 * One way to move or reduce device memory, for one or more collectives: its kernel, requirements, the buffers that it
 * touches, its grid, and its cost. Members must agree on all of these, so they depend only on what all members know.
 * Has no state.
 */
public abstract class DeviceKernel {
    /** The order in which a kernel numbers the members. */
    public enum Order { RANKS, RING, CHAIN }

    /** Most ranks that a kernel can address: MAX_RANKS of call.cuh. */
    public static final int RANKS = 8;
    /** {@link #flags} for a kernel that does reduce-scatter beside another collective: REDUCE_SCATTER of call.cuh. */
    public static final int REDUCE_SCATTER = 8;
    /** {@link #flags} for a kernel whose ranks pass on what they get: RELAYED of call.cuh. */
    public static final int RELAYED = 32;
    /**
     * {@link #flags} for a kernel whose ranks send the results of their slices to all, or to the root: GATHERED of
     * call.cuh.
     */
    public static final int GATHERED = 128;

    /** Nanoseconds for a flag from GPU to GPU, as measured on H200s behind NVSwitch. */
    protected static final double FLAG = 700;

    /**
     * For kernels that copy or reduce large blocks: with fewer bytes, another thread block costs more than it carries.
     */
    private static final long BYTES_A_BLOCK = 16 << 10;
    private static final int FEWEST_BULK = 4;
    /** Bytes in flight where the launch chooses: windows of all thread blocks together. */
    private static final long WINDOWS = 1 << 20;

    private final String name;
    private final String symbol;
    private final int threads;

    /**
     * @param name of the algorithm
     * @param symbol of the kernels: {@code brigade_<symbol>} for moving, {@code brigade_<symbol>_<op>_<type>} for
     * reducing
     * @param threads of a thread block, if the kernel's registers allow as many
     */
    protected DeviceKernel(String name, String symbol, int threads) {
        this.name = name;
        this.symbol = symbol;
        this.threads = threads;
    }

    public final String name() {
        return name;
    }

    public final String symbol() {
        return symbol;
    }

    /** As {@link #symbol}, for collectives that do not reduce. */
    public String movingSymbol() {
        return symbol;
    }

    public final int threads() {
        return threads;
    }

    /** Threads of a thread block for this call; members may have different numbers. */
    public int threads(BlockExchange call) {
        return threads;
    }

    /** This kernel as an algorithm for the collective of a schedule with the same result. */
    public final DeviceAlgorithm serving(ScheduledAlgorithm meaning) {
        Collective collective = meaning.collective();
        return new DeviceAlgorithm(this, collective, meaning,
            new Restrictions(collective.reduces, powerOfTwo(), mostRanks(), mostBytes(collective),
                divides(collective), aligned(), apart(collective)),
            striped(collective));
    }

    // ---- requirements ----

    protected int mostRanks() {
        return RANKS;
    }

    protected boolean powerOfTwo() {
        return false;
    }

    /** As the tuning table counts them. */
    protected long mostBytes(Collective collective) {
        return Long.MAX_VALUE;
    }

    /** Whether {@link #mostBytes} are divided by the number of ranks. */
    protected boolean divides(Collective collective) {
        return false;
    }

    protected boolean aligned() {
        return false;
    }

    /** Whether a call in place would overwrite data that peers still have to read. */
    protected boolean apart(Collective collective) {
        return collective.overwrites;
    }

    /** Whether it works by windows of a chunk. */
    public boolean pipelined() {
        return false;
    }

    /** Whether it can send a share of this collective's bytes through host memory. */
    public boolean striped(Collective collective) {
        return false;
    }

    /** Whether the copy engine does the work if the hosts have met; elsewhere the kernel does. */
    public boolean copies() {
        return false;
    }

    /** Whether copy engines within and between pairs do the work if the hosts have met; elsewhere the kernel does. */
    public boolean paired() {
        return false;
    }

    /** Whether it is told the blocks one by one ({@link BlockExchange#out}), and each member has a grid of its own. */
    public boolean edges() {
        return false;
    }

    /**
     * Whether it puts partial results into the type at each step, in an order of its own; else all contributions are
     * folded in rank order, and rounded when all are in.
     */
    public boolean stepwise() {
        return false;
    }

    /** Whether a resident kernel can do the same. */
    public boolean resident() {
        return false;
    }

    /**
     * Whether it can run on a stream.
     *
     * @param registered which buffers are: {@link Registration#SEND}, {@link Registration#RECV} or both, or
     * {@link Registration#OVERWRITTEN}
     */
    public boolean runsOnStreams(Collective collective, int registered) {
        return false;
    }

    // ---- how it is launched ----

    /** Whether this rank loads from that member's send buffer; the member then waits until the load is done. */
    public boolean loadsFrom(BlockExchange call, int member) {
        return false;
    }

    /** Whether this rank stores into that member's receive buffer; the member then waits until the store is done. */
    public boolean storesInto(BlockExchange call, int member) {
        return false;
    }

    /** The offset in another member's receive buffer that the kernel is told. */
    public long placeAt(BlockExchange call) {
        return 0;
    }

    /**
     * Whether the kernel is told the places of single blocks, its own included; else it is told where buffers begin.
     */
    public boolean knowsPlaces() {
        return false;
    }

    /** If the kernel knows places: whether it moves its own rank's block. */
    public boolean storesOwn(BlockExchange call) {
        return false;
    }

    /**
     * The best number of thread blocks if the tuning table says none; what all members' GPUs can hold limits it. The
     * same on all members.
     */
    public abstract int blocks(BlockExchange call);

    /** Fewest thread blocks that work; the grid is a multiple of it. */
    public int fewestBlocks() {
        return 1;
    }

    /** Most thread blocks that this call allows, whatever the table says. */
    public int mostBlocks(BlockExchange call) {
        return Integer.MAX_VALUE;
    }

    /**
     * Bytes of a window for this grid; 0 if the kernel has no windows. The same on all members.
     *
     * @param wished by the user or the table; 0: the best
     * @param room bytes of a member's scratch for windows
     */
    public long window(BlockExchange call, int grid, long wished, long room) {
        return 0;
    }

    /**
     * The kernel that does the same if the hosts have met, and tells the hosts when it ends; null if there is none or
     * it is this one.
     */
    public DeviceKernel telling() {
        return null;
    }

    /**
     * Whether the kernel can do this call without meeting the other kernels, and tell their hosts when it ends. The
     * same on all members.
     */
    public boolean tells(BlockExchange call) {
        return false;
    }

    /** For a kernel that tells: whether that member's kernel uses this rank's buffers. */
    public boolean hearsFrom(BlockExchange call, int member) {
        return true;
    }

    /** For a kernel that tells: whether this rank's kernel has anything to do. */
    public boolean hasWork(BlockExchange call) {
        return true;
    }

    public Order order() {
        return Order.RANKS;
    }

    /** The kernel's own flags, beside those of every call. */
    public int flags(BlockExchange call) {
        return 0;
    }

    // ---- cost ----

    /**
     * A launch, the flags that ranks wait for one after another, and the bytes that the busiest GPU sends or receives.
     */
    public abstract double cost(CostModel model, Collective collective, PredictedCall call);

    protected static double others(PredictedCall call) {
        return Math.max(1, call.others());
    }

    /** Bytes that leave or enter the busiest rank if each block goes directly to its destination. */
    public static double exchanged(Collective collective, PredictedCall call) {
        return switch (collective) {
            case BARRIER -> 0;
            case ALLREDUCE -> 2 * others(call) / call.ranks() * call.bytes();
            default -> others(call) / (collective.counts == Counts.SHARED ? call.ranks() : 1) * call.bytes();
        };
    }

    /** Bytes in flight. */
    protected static double underWay(PredictedCall call) {
        return Math.min(call.chunk() == 0 ? WINDOWS : call.chunk(), call.bytes());
    }

    /** Nanoseconds for bytes on the link if a share goes through host memory. */
    protected static double linked(CostModel model, PredictedCall call, double bytes) {
        return model.transfer(bytes) * (100 - call.sharePercent()) / 100;
    }

    /** Grid of a kernel that copies or reduces large blocks. */
    protected static int bulkBlocks(long bytes) {
        return (int) Math.max(FEWEST_BULK, Math.min(Integer.MAX_VALUE, bytes / BYTES_A_BLOCK));
    }
}

package org.brigade.algorithm;

import mpi.spi.Collective;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceAlgorithm;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.ScheduledAlgorithm;

/**
 * All that is to be known of one way of device memory, whichever collectives it serves: which kernel, what it needs,
 * whose buffers it touches, how large its grid is, and what it costs. What all members must agree on follows from what
 * all of them know. Without state.
 */
public abstract class DeviceKernel {
    /** The order in which a kernel numbers the members. */
    public enum Order { RANKS, RING, CHAIN }

    /** Most ranks that a kernel can address: MAX_RANKS of call.cuh. */
    public static final int RANKS = 8;
    /** {@link #flags} for a kernel that does reduce-scatter beside another collective: REDUCE_SCATTER of call.cuh. */
    public static final int REDUCE_SCATTER = 8;

    /** Nanoseconds of a flag from GPU to GPU, as measured on H200s behind NVSwitch. */
    protected static final double FLAG = 700;

    /** Bytes below which a further block of a kernel that copies or reduces large blocks costs more than it carries. */
    private static final long BYTES_A_BLOCK = 16 << 10;
    private static final int FEWEST_BULK = 4;
    /** Bytes under way at once where the launch chooses: windows of all blocks together. */
    private static final long WINDOWS = 1 << 20;

    private final String name;
    private final String symbol;
    private final int threads;

    /**
     * @param name of the algorithm
     * @param symbol of the kernels: {@code brigade_<symbol>} for what moves, {@code brigade_<symbol>_<op>_<type>} for
     * what reduces
     * @param threads of a block, if the kernel's registers allow as many
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

    /** This way for the collective of a schedule with the same result. */
    public final DeviceAlgorithm serving(ScheduledAlgorithm meaning) {
        Collective collective = meaning.collective();
        return new DeviceAlgorithm(this, collective, meaning,
            new Restrictions(collective.reduces, false, mostRanks(), mostBytes(), aligned(), apart(collective)),
            striped());
    }

    // ---- what it needs ----

    protected int mostRanks() {
        return RANKS;
    }

    protected long mostBytes() {
        return Long.MAX_VALUE;
    }

    protected boolean aligned() {
        return false;
    }

    /** Whether in place results come to lie where peers still have to read. */
    protected boolean apart(Collective collective) {
        return switch (collective) {
            case SCAN, EXSCAN, REDUCE_SCATTER, ALLTOALL, ALLTOALLV -> true;
            default -> false;
        };
    }

    /** Whether it goes by windows of a chunk. */
    public boolean pipelined() {
        return false;
    }

    /** Whether it can send a share by way of the host. */
    public boolean striped() {
        return false;
    }

    /** Whether the copy engine does it where hosts have met; elsewhere the kernel does the same. */
    public boolean copies() {
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

    /** Whether this rank loads from that member's send buffer; then the member waits until it has. */
    public boolean loadsFrom(BlockExchange call, int member) {
        return false;
    }

    /** Whether this rank stores into that member's receive buffer; then the member waits until it has. */
    public boolean storesInto(BlockExchange call, int member) {
        return false;
    }

    /** Where in another member's receive buffer the place begins that the kernel is told. */
    public long placeAt(BlockExchange call) {
        return 0;
    }

    /** Whether the kernel is told the places of single blocks, its own rank's among them; else where buffers begin. */
    public boolean knowsPlaces() {
        return false;
    }

    /** Where the kernel knows places: whether it moves its own rank's block. */
    public boolean storesOwn(BlockExchange call) {
        return false;
    }

    /**
     * How many blocks are best where the tuning table does not say; bounded by what all members' GPUs can hold. The
     * same on all members.
     */
    public abstract int blocks(BlockExchange call);

    /** Fewest blocks that can do it; the grid is a multiple of it. */
    public int fewestBlocks() {
        return 1;
    }

    /** Most blocks that this call allows, whatever the table says. */
    public int mostBlocks(BlockExchange call) {
        return Integer.MAX_VALUE;
    }

    /**
     * Bytes of a window for a grid; 0 where there are none. The same on all members.
     *
     * @param wished by the user or the table; 0: what is right
     * @param room bytes that a member's scratch has for windows
     */
    public long window(BlockExchange call, int grid, long wished, long room) {
        return 0;
    }

    /**
     * The kernel that does the same where hosts have met, and tells them of its end; null if there is none, or it is
     * this.
     */
    public DeviceKernel telling() {
        return null;
    }

    /**
     * Whether the kernel can do this call without meeting the others, and tell their hosts of its end. The same on all
     * members.
     */
    public boolean tells(BlockExchange call) {
        return false;
    }

    /** Where kernels tell: whether that member's kernel uses this rank's buffers. */
    public boolean hearsFrom(BlockExchange call, int member) {
        return true;
    }

    /** Where kernels tell: whether there is anything for this rank's kernel to do. */
    public boolean hasWork(BlockExchange call) {
        return true;
    }

    public Order order() {
        return Order.RANKS;
    }

    /** Of the kernel's own, beside those of every call. */
    public int flags(BlockExchange call) {
        return 0;
    }

    // ---- what it costs ----

    /**
     * A launch, the flags that one rank after another waits for, and the bytes that the busiest GPU sends or receives.
     */
    public abstract double cost(CostModel model, Collective collective, PredictedCall call);

    protected static double others(PredictedCall call) {
        return Math.max(1, call.others());
    }

    /** Bytes that leave or enter the busiest rank if everyone sends straight to where the bytes belong. */
    public static double exchanged(Collective collective, PredictedCall call) {
        return switch (collective) {
            case BARRIER -> 0;
            case ALLREDUCE -> 2 * others(call) / call.ranks() * call.bytes();
            case ALLGATHERV, REDUCE_SCATTER -> others(call) / call.ranks() * call.bytes();
            default -> others(call) * call.bytes();
        };
    }

    /** Bytes under way at once. */
    protected static double underWay(PredictedCall call) {
        return Math.min(call.chunk() == 0 ? WINDOWS : call.chunk(), call.bytes());
    }

    /** Nanoseconds that bytes take on the link where a share goes by way of the host. */
    protected static double linked(CostModel model, PredictedCall call, double bytes) {
        return model.transfer(bytes) * (100 - call.sharePercent()) / 100;
    }

    /** Grids of the kernels that copy or reduce large blocks. */
    protected static int bulkBlocks(long bytes) {
        return (int) Math.max(FEWEST_BULK, Math.min(Integer.MAX_VALUE, bytes / BYTES_A_BLOCK));
    }
}

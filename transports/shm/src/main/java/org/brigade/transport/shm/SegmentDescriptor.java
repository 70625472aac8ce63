package org.brigade.transport.shm;

import org.brigade.bootstrap.Processors;
import org.brigade.transport.Endpoint;
import org.brigade.transport.tail.SegmentTail;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.WaitRecord;

/**
 * The memory that the ranks of one node share. All words are 8 bytes in native order.
 *
 * <pre>
 *   0      magic: the segment is ready, or has failed       the creator, last, by release
 *   8      version of this layout                           the creator (as all until 128)
 *  16      bytes of the segment
 *  24      hash of the job's key
 *  32      ranks          40  slots a channel     48  ring bytes a channel
 *  56      the creator's pid, its start time (64) and pid namespace (72)
 * 128      1: all have attached; -1: another segment       rank 0, by release
 *          takes this one's place, with a name
 * 136      who shows the ranks' last calls: 0 nobody yet,   who changes 0, then that rank;
 *          n the rank at place n - 1, -1 they are shown     the launcher, if that rank is gone
 * 144      how many calls are shown of each rank           the first rank
 * 160      where the {@link SegmentTail} ends              who reserves there, by compare-and-set
 * 192      the node's time, as {@link FlightRecorder} says  any rank
 * 256      failure: 0 none, 1 being written, 2 there;       who changes 0 to 1
 *          the job's exit code in the high half
 * 264      its length; its text (UTF-8) from 272 to 2048
 *2048      row of rank 0: pid, start time, pid namespace    that rank, before it attaches
 *          its state (a {@link RankTable} constant)         that rank, by release
 *          and its {@link Processors}: how many words,      that rank, before it attaches
 *          and the words;
 *          address of a random number, and the number       that rank, the address by release
 *          its number in the job and the job's size         that rank, before it attaches
 *          1: its process has begun to end                  that rank
 *2304      row of rank 1, ...
 *   .      waits [rank]: a {@link WaitRecord} each           that rank
 *   .      last calls [rank]: a {@link FlightRecorder} each  that rank
 *   .      boards [rank], {@link Endpoint#BOARD_BYTES} each      that rank
 *   .      channels [from][to][lane], each of them as {@link ChannelDescriptor} says
 * </pre>
 */
public final class SegmentDescriptor {
    static final int MAGIC = 0;
    static final int VERSION = 8;
    static final int BYTES = 16;
    static final int KEY_HASH = 24;
    static final int RANKS = 32;
    static final int SLOT_COUNT = 40;
    static final int RING_BYTES = 48;
    static final int CREATOR_PID = 56;
    static final int CREATOR_START = 64;
    static final int CREATOR_NAMESPACE = 72;
    static final int CREATOR_WORDS = 80;
    static final int OPENED = 128;
    static final int ALL_ATTACHED = 1;
    static final int MOVED = -1;
    static final int SHOWN = 136;
    static final int CALLS_SHOWN = 144;
    static final int TAIL = 160;
    static final int TIME = 192;
    static final int FAILURE = 256;
    static final int FAILURE_LENGTH = 264;
    static final int FAILURE_TEXT = 272;
    static final int ROWS = 2048;
    static final int ROW_BYTES = 256;
    static final int ROW_PID = 0;
    static final int ROW_START = 8;
    static final int ROW_NAMESPACE = 16;
    static final int ROW_STATE = 24;
    static final int ROW_PROCESSORS = 32;
    static final int ROW_PROCESSOR_WORDS = 40;
    static final int ROW_NUMBER_ADDRESS = 176;
    static final int ROW_NUMBER = 184;
    static final int ROW_RANK = 200;
    static final int ROW_SIZE = 208;
    static final int ROW_ENDING = 216;

    static final long READY = 0x4252_4947_4144_4531L;
    static final long FAILED = 0x4252_4947_4144_4530L;
    static final long LAYOUT = 11;

    private static final int ALIGNMENT = 128;
    private static final int SMALLEST_RING = 4 << 10;
    /** The largest default. A longer ring leaves the cache that two ranks share, and costs time at Init. */
    private static final int LARGEST_RING = 512 << 10;
    private static final int LARGEST_RING_ASKED = 2 << 20;
    private static final int FEWEST_SLOTS = 32;
    private static final int MOST_SLOTS = 256;
    private static final int RING_BYTES_A_SLOT = 1024;
    private static final long DEFAULT_BUDGET = 40 << 20;

    private final int ranks;
    private final int slots;
    private final int ringBytes;
    private final int boards;
    private final int channels;
    private final int stride;

    SegmentDescriptor(int ranks, int slots, int ringBytes) {
        this.ranks = ranks;
        this.slots = slots;
        this.ringBytes = ringBytes;
        this.boards = described(ranks);
        this.channels = boards + ranks * Endpoint.BOARD_BYTES;
        this.stride = ChannelDescriptor.bytes(slots, ringBytes);
    }

    /** The default layout for so many ranks: under 64 MiB up to 64 ranks. */
    public static SegmentDescriptor forRanks(int ranks) {
        SegmentDescriptor chosen = fitting(ranks, DEFAULT_BUDGET, LARGEST_RING);
        return chosen != null ? chosen : smallest(ranks);
    }

    /** The roomiest layout of at most so many bytes in all; null if even the smallest is larger. */
    public static SegmentDescriptor forRanks(int ranks, long budget) {
        return fitting(ranks, Math.min(budget, Integer.MAX_VALUE), LARGEST_RING_ASKED);
    }

    /**
     * The smallest layout there is: slower for messages that are longer than a packet, good for tests of full rings.
     */
    public static SegmentDescriptor smallest(int ranks) {
        return withRing(ranks, SMALLEST_RING);
    }

    private static SegmentDescriptor fitting(int ranks, long budget, int largestRing) {
        for (int ring = largestRing; ring >= SMALLEST_RING; ring >>= 1) {
            SegmentDescriptor layout = withRing(ranks, ring);
            if (layout.bytes() <= budget) {
                return layout;
            }
        }
        return null;
    }

    private static SegmentDescriptor withRing(int ranks, int ring) {
        return new SegmentDescriptor(ranks, Math.max(FEWEST_SLOTS, Math.min(MOST_SLOTS, ring / RING_BYTES_A_SLOT)),
            ring);
    }

    public int ranks() {
        return ranks;
    }

    int slots() {
        return slots;
    }

    int ringBytes() {
        return ringBytes;
    }

    /** Bytes from the segment's beginning that tell of the ranks: what is before the boards. */
    static int described(int ranks) {
        return lastCalls(ranks, ranks) + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** The place of a rank's {@link WaitRecord}. */
    static int waitRecord(int ranks, int rank) {
        return ROWS + ranks * ROW_BYTES + rank * WaitRecord.BYTES;
    }

    /** The place of a rank's {@link FlightRecorder}. */
    static int lastCalls(int ranks, int rank) {
        return waitRecord(ranks, ranks) + rank * FlightRecorder.BYTES;
    }

    /** Bytes of the whole segment; may exceed what one mapping can hold. */
    public long bytes() {
        return channels + (long) ranks * ranks * Endpoint.LANES * stride;
    }

    int board(int rank) {
        return boards + rank * Endpoint.BOARD_BYTES;
    }

    int channel(int from, int to, int lane) {
        return channels + ((from * ranks + to) * Endpoint.LANES + lane) * stride;
    }

    static int row(int rank) {
        return ROWS + rank * ROW_BYTES;
    }
}

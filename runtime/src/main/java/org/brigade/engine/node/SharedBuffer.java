package org.brigade.engine.node;

import java.nio.ByteBuffer;
import org.brigade.algorithm.SharedBufferAlgorithm;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;

/**
 * Memory that the members of a communicator on one node share: for each the blocks by which calls begin, a count of
 * what it has done, and two halves through which long vectors go, window by window.
 *
 * <pre>
 *       0  ticks of member 0      a pair of lines each; from 8 on: how many communicators it has ended here
 *          ticks of member 1
 *          ...
 *          blocks of member 0     as in PullSlots
 *          blocks of member 1
 *          ...
 *  page m  half 0                 m pages hold the above
 *          half 1                 a half is 1 MiB, with more than 16 members 64 KiB for each
 * </pre>
 *
 * Only a member stores its ticks. It publishes a tick after it has written, or read, what the tick tells of
 * (store-release), and another member reads the tick before it reads or overwrites that (load-acquire). Ticks only
 * grow: each call begins with the greatest ticks of all members, which an exchange at its begin finds.
 */
public final class SharedBuffer {
    private static final int LINES = 128;
    private static final int ENDED = 8;
    private static final int OWN_BYTES = LINES + PullSlots.SLOT_BYTES;
    private static final int PAGE = 4096;

    private final SharedAccess access;
    private final NativeMemory ticks;
    private final PulledBlocks blocks;
    private final NativeMemory[] halves = new NativeMemory[2];
    private final Region[] regions = new Region[2];
    private final int rank;
    private final int members;
    private long own;
    private long ended;

    /** @param memory zeros at first, of {@link #bytes} bytes; in tests of fewer */
    SharedBuffer(ByteBuffer memory, int members, int rank) {
        this(memory, members, rank, new HostAccess());
    }

    /** @param memory zeros at first; what is longer than {@link #headBytes} is halved */
    public SharedBuffer(ByteBuffer memory, int members, int rank, SharedAccess access) {
        this.access = access;
        this.rank = rank;
        this.members = members;
        ticks = access.view(memory, 0, members * LINES);
        NativeMemory[] slots = new NativeMemory[members];
        for (int member = 0; member < members; member++) {
            slots[member] =
                access.view(memory, members * LINES + member * PullSlots.SLOT_BYTES, PullSlots.SLOT_BYTES);
        }
        blocks = new PulledBlocks(slots, rank, access);
        int half = (memory.capacity() - headBytes(members)) / 2;
        for (int i = 0; i < halves.length; i++) {
            halves[i] = access.view(memory, headBytes(members) + i * half, half);
            regions[i] = Region.of(halves[i]);
        }
    }

    /** Bytes before the halves. */
    public static int headBytes(int members) {
        return members * OWN_BYTES + PAGE - 1 & -PAGE;
    }

    static int bytes(int members) {
        return headBytes(members) + 2 * SharedBufferAlgorithm.windowBytes(members);
    }

    /** Whether a byte before the halves is of a member's ticks. */
    public static boolean isTick(long at, int members) {
        return at < (long) members * LINES;
    }

    /** The member whose ticks or blocks hold a byte before the halves. */
    public static int owner(long at, int members) {
        return (int) (isTick(at, members) ? at / LINES : (at - (long) members * LINES) / PullSlots.SLOT_BYTES);
    }

    /** By which the calls begin. */
    public PulledBlocks blocks() {
        return blocks;
    }

    /** A half: of an even number the first, else the second. */
    public NativeMemory half(long number) {
        return halves[(int) number & 1];
    }

    /** The same memory as {@link #half}. */
    public Region region(long number) {
        return regions[(int) number & 1];
    }

    /** The ticks that this rank has published last. */
    public long ticks() {
        return own;
    }

    /** Tells the other members that this rank has come so far. */
    public void publish(long tick) {
        own = tick;
        access.publish(ticks, rank * LINES, tick);
    }

    /** Whether a member has come so far. */
    public boolean hasReached(int member, long tick) {
        return access.hasReached(ticks, member * LINES, tick);
    }

    /** Tells what {@link #hasReached} looks at. */
    public void show(int member, long tick, AwaitedWord word) {
        word.atLeast(access.address(ticks) + member * LINES, tick);
    }

    /** Another communicator of the same members begins to use it: all have {@linkplain #end ended} the last one. */
    public void restart() {
        blocks.restart();
    }

    /** This rank neither reads nor writes here any more for the communicator that has it. */
    public void end() {
        access.publish(ticks, rank * LINES + ENDED, ++ended);
    }

    /** Whether all members have ended so many communicators here. */
    public boolean haveEnded(long communicators) {
        for (int member = 0; member < members; member++) {
            if (!access.hasReached(ticks, member * LINES + ENDED, communicators)) {
                return false;
            }
        }
        return true;
    }
}

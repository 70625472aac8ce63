package org.brigade.transport.shm;

import static org.brigade.transport.shm.ChannelDescriptor.*;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;
import org.brigade.nativ.Libc;
import org.brigade.op.Combiner;
import org.brigade.transport.staging.PipelinedEnd;

/**
 * The receiving end of a channel. It reports what it has freed only a few times a lap, so that the sender keeps the
 * cache line.
 */
final class ChannelReceiver extends PipelinedEnd {
    /** Bytes that are copied at once before they are reduced: half of a first-level cache. */
    private static final int NEAR_BYTES = 32 << 10;
    /** While copies to a device run, the next copy waits until so many bytes are in the ring. */
    private static final int DEVICE_PIECE = 64 << 10;
    private static final int DEVICE_DEPTH = 8;
    /** Bytes of the ring that are read ahead of a message, by one who waits for it. */
    private static final int AHEAD = 512;

    private final NativeMemory memory;
    private final int channel;
    private final int slotMask;
    private final int slots;
    private final int ring;
    private final int ringBytes;
    private final int reportMask;
    private final int reportBytes;

    /** Memory into which large stretches are copied before they are reduced; allocated on first use. */
    private NativeMemory near;

    private long packets;
    private long reported;

    // Where the message at the head is.
    private int slot;
    private boolean inRing;
    /** {@link ChannelDescriptor#OFFERED} or {@link ChannelDescriptor#LENT} if the message is not in the channel. */
    private int elsewhere;
    private long start;
    private long begun;
    private int way;
    /** When the last message that was timed had ended. */
    private long ended;
    private long arrived;

    /** Offered messages that have reached the head so far. */
    private long offers;

    /** Where the next message in the ring probably begins, and a sum of what was seen there, so that it is read. */
    private int nextStart;
    private long seenThere;
    private final AwaitedWord sought = new AwaitedWord();

    ChannelReceiver(NativeMemory memory, int channel, int slotCount, int ringBytes) {
        super(DEVICE_DEPTH, DEVICE_PIECE);
        this.memory = memory;
        this.channel = channel;
        this.slotMask = slotCount - 1;
        this.slots = channel + SLOTS;
        this.ring = channel + ChannelDescriptor.ring(slotCount);
        this.ringBytes = ringBytes;
        this.reportMask = slotCount / REPORTS_A_LAP - 1;
        this.reportBytes = ringBytes / REPORTS_A_LAP;
        this.slot = slots;
        this.nextStart = ring;
    }

    @Override
    public boolean poll() {
        if (present) {
            return true;
        }
        long flag = memory.getLongAcquire(slot + FLAG);
        if ((int) flag != (int) (packets + 1)) {
            return false;
        }
        int length = length(flag);
        kind = ChannelDescriptor.kind(flag);
        key = memory.getLong(slot);
        taken = 0;
        inRing = length == IN_RING;
        if (inRing) {
            bytes = memory.getLong(slot + MESSAGE_BYTES);
            start = memory.getLong(slot + MESSAGE_START);
            arrived = memory.getLong(slot + MESSAGE_FIRST);
            begun = memory.getLong(slot + BEGUN);
            if (begun != 0) {
                way = (int) memory.getLong(slot + WAY);
            }
        } else if (length == OFFERED || length == LENT) {
            bytes = memory.getLong(slot + MESSAGE_BYTES);
            begun = memory.getLong(slot + BEGUN);
            elsewhere = length;
            offers++;
        } else {
            bytes = length;
        }
        present = true;
        return true;
    }

    @Override
    public void show(AwaitedWord word) {
        if (present) {
            word.forget();
        } else {
            word.lowerHalf(memory.address() + slot + FLAG, (int) (packets + 1));
        }
    }

    /**
     * Each vain look reads where the next message in the ring begins, too. So these lines leave the sender's cache
     * together with the packet, and not after it: between two cores that share no cache, 64 bytes take 0.42 us instead
     * of 0.55, and 512 bytes 0.50 instead of 0.62. Only a rank that waits for this sender does so, as each line that it
     * reads the sender must take back.
     */
    @Override
    public boolean poll(int looks) {
        if (packets < AwaitedWord.FIRST_WAITS && looks > 1 && AwaitedWord.works()) {
            if (poll()) {
                return true;
            }
            show(sought);
            sought.readAhead(memory.address() + nextStart);
            return sought.look(looks) && poll();
        }
        for (int look = 0; look < looks; look++) {
            if (poll()) {
                return true;
            }
            for (int ahead = 0; ahead < AHEAD; ahead += LINE) {
                seenThere += memory.getLong(nextStart + ahead);
            }
        }
        return false;
    }

    @Override
    public long tryRecv(Region target, long at) {
        int stretch = target.isDevice() ? deviceStretch() : stretch();
        if (stretch > 0) {
            target.write(at, memory, position(), stretch);
        }
        return take(stretch);
    }

    /**
     * Copies first: the combiner's loads would wait for the sender's core one by one, but libc's copy fetches ahead.
     */
    @Override
    protected void combine(Combiner combiner, int stretch, Region operand, long operandAt, Region target,
        long targetAt) {
        int from = position();
        if (stretch < Region.LARGE || !Libc.works()) {
            combiner.combine(memory, from, stretch, operand, operandAt, target, targetAt);
            return;
        }
        if (near == null) {
            near = NativeMemory.allocate(NEAR_BYTES);
        }
        for (int done = 0; done < stretch; done += NEAR_BYTES) {
            int piece = Math.min(NEAR_BYTES, stretch - done);
            Libc.copy(near.address(), memory.address() + from + done, piece);
            combiner.combine(near, 0, piece, operand, operandAt + done, target, targetAt + done);
        }
    }

    // ---- messages that stay in the sender's memory, for DeviceReceiver and LentReceiver ----

    /** Whether the message at the head is in the sender's memory, and none of its bytes are in the channel. */
    boolean isElsewhere() {
        return elsewhere != 0;
    }

    /** Whether the message at the head is one in device memory. */
    boolean isOffered() {
        return elsewhere == OFFERED;
    }

    /** Whether the message at the head is one that the sender lends from its host memory. */
    boolean isLent() {
        return elsewhere == LENT;
    }

    /** Where the bytes of a lent message are in the sender's memory; the sender may change its mind. */
    long loanAddress() {
        return memory.getLongAcquire(slot + LOAN_ADDRESS);
    }

    /** Tells the sender that this process cannot read its memory. */
    void cannotRead() {
        memory.putLongRelease(channel + CANNOT_READ, 1);
    }

    /** Lets the sender write its share of a lent message to an address here. */
    void shareLoan(long target) {
        memory.putLong(channel + TARGET, target);
        memory.putLong(channel + CLAIMED, share(offers, 0));
        answer(TAKING, 0);
    }

    /** Claims a piece of the lent message; -1 if none is left. */
    int claim(int pieces) {
        return ChannelDescriptor.claim(memory, channel + CLAIMED, offers, pieces);
    }

    /** Claims all pieces of the lent message that are left; returns how many had been claimed before. */
    int claimAll(int pieces) {
        return ChannelDescriptor.claimAll(memory, channel + CLAIMED, offers, pieces);
    }

    /** How many pieces the sender has written, or {@link ChannelDescriptor#CANNOT_PUSH}. */
    int pushed() {
        return ChannelDescriptor.pieces(memory.getLongAcquire(channel + PUSHED), offers);
    }

    /** A verdict that needs no more words. */
    void answer(int verdict) {
        memory.putLongRelease(channel + ANSWER, ChannelDescriptor.answer(offers, verdict));
    }

    /**
     * Tells the sender how long the message took, of which the last byte is here. The time begins when the message
     * before it has ended: a message that waits behind others does not count as slow.
     */
    void tellTime(int way) {
        long now = System.nanoTime();
        memory.putLongRelease(channel + TIME, CopyWays.time(way, bytes, packets, now - Math.max(begun, ended)));
        ended = now;
    }

    long offerExport() {
        return memory.getLong(slot + OFFER_EXPORT);
    }

    long offerOffset() {
        return memory.getLong(slot + OFFER_OFFSET);
    }

    boolean offerArea() {
        return memory.getLong(slot + OFFER_AREA) == 1;
    }

    /** Whether the sender may take its offer back, until {@link #accept}. */
    boolean isWithdrawable() {
        return memory.getLong(slot + OFFER_AREA) == WITHDRAWABLE;
    }

    /** Decides to copy the offered message; false if it comes through the ring. */
    boolean accept() {
        return !isWithdrawable() || claim(1) == 0;
    }

    void answer(int verdict, long stagedFrom) {
        memory.putLong(channel + STAGED_FROM, stagedFrom);
        memory.putLongRelease(channel + ANSWER, ChannelDescriptor.answer(offers, verdict));
    }

    /** Bytes of the sender's staging area; 0 while there is none. */
    long areaBytes() {
        return memory.getLongAcquire(channel + AREA);
    }

    /** Where that area lies in the node's memory. */
    long area() {
        return memory.getLong(channel + AREA_PLACE);
    }

    /**
     * Whether the offered message comes through the ring. If so, it is an ordinary message in the ring from then on.
     */
    boolean offerByRing() {
        long told = memory.getLongAcquire(slot + OFFER_START);
        if (told == 0) {
            return false;
        }
        start = told - 1;
        arrived = 0;
        inRing = true;
        elsewhere = 0;
        begun = 0;
        return true;
    }

    /** Counts bytes of a message in the sender's memory as taken. The last byte ends the message. */
    long takeElsewhere(long now) {
        taken += now;
        if (taken == bytes) {
            elsewhere = 0;
            end();
        }
        return now;
    }

    // ---- copies out of the ring that run beside the processor, for DeviceReceiver ----

    /** How many bytes from the given one on are in the ring, in one piece. */
    @Override
    public int stretch(long from) {
        long behind = Math.min(memory.getLongAcquire(channel + TAIL) - start, bytes);
        arrived = Math.max(arrived, behind);
        int wrapped = (int) (start + from) & ringBytes - 1;
        return (int) Math.min(arrived - from, ringBytes - wrapped);
    }

    @Override
    public NativeMemory memory(long from) {
        return memory;
    }

    @Override
    public int position(long from) {
        return ring + ((int) (start + from) & ringBytes - 1);
    }

    @Override
    protected int stretch() {
        return stretchUpTo(LARGEST_CHUNK);
    }

    /** All bytes that are there. The processor's copies take fewer at once, to keep the sender busy. */
    @Override
    protected int deviceStretch() {
        return stretchUpTo(ringBytes);
    }

    private int stretchUpTo(int most) {
        if (!inRing) {
            return (int) (bytes - taken);
        }
        if (arrived == taken) {
            long behind = memory.getLongAcquire(channel + TAIL) - start;
            if (behind <= arrived) {
                return 0;
            }
            arrived = Math.min(behind, bytes);
        }
        int wrapped = (int) (start + taken) & ringBytes - 1;
        return (int) Math.min(arrived - taken, Math.min(most, ringBytes - wrapped));
    }

    @Override
    protected NativeMemory memory() {
        return memory;
    }

    @Override
    protected int position() {
        return inRing ? position(taken) : slot + PAYLOAD + (int) taken;
    }

    @Override
    protected long take(int stretch) {
        taken += stretch;
        if (inRing) {
            free(start + taken);
            if (taken == bytes && begun != 0) {
                tellTime(way);
            }
        }
        if (taken == bytes) {
            if (inRing) {
                nextStart =
                    ring + Math.min((int) (start + taken + LINE - 1 & -LINE) & ringBytes - 1, ringBytes - AHEAD);
            }
            end();
        }
        return stretch;
    }

    private void end() {
        present = false;
        packets++;
        slot = slots + (((int) packets & slotMask) << SLOT_SHIFT);
        if ((packets & reportMask) == 0) {
            memory.putLongRelease(channel + PACKETS_FREED, packets);
        }
    }

    private void free(long position) {
        if (position - reported >= reportBytes) {
            reported = position;
            memory.putLongRelease(channel + BYTES_FREED, position);
        }
    }
}

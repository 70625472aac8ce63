package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.MulticastDescriptor.*;

import java.lang.invoke.VarHandle;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.ReceivingEnd;
import org.brigade.transport.sisci.adapter.MulticastDescriptor;

/**
 * The receiving end of one member's multicast, read from this rank's own memory. The holder of the progress lock
 * receives; the tender acknowledges what was consumed and has not been acknowledged.
 */
final class MulticastReceiver extends ReceivingEnd {
    /** The sending member, as the receiver sees it. */
    interface Writer {
        /** Tells the sender how much of its multicast has been consumed. */
        void acknowledge(int slot, long value);
    }

    /** The unacknowledged part of the ring stays below one part in so many. */
    private static final int REPORTS_A_LAP = 8;
    private static final int SCRATCH_BYTES = CHUNK_WORDS * DATA_BYTES;

    private final int id;
    private final int slot;
    private final Writer sender;
    private final NativeMemory memory;
    private final int ring;
    private final int words;
    private final NativeMemory scratch = NativeMemory.allocate(SCRATCH_BYTES + 8);

    private long read;
    /** The range of the message's bytes that the scratch memory holds. */
    private long from;
    private long to;
    /** Words of messages, or of parts of messages, that have been handed out. The tender reads this. */
    private volatile long handedOut;
    private long acknowledged;

    /** @param ring where the sender's ring begins, in bytes */
    MulticastReceiver(int id, int slot, Writer sender, NativeMemory memory, int ring, int words) {
        this.id = id;
        this.slot = slot;
        this.sender = sender;
        this.memory = memory;
        this.ring = ring;
        this.words = words;
    }

    /** Only the key's lower 56 bits are transferred. */
    @Override
    public boolean poll() {
        if (!present && isThere(HEAD_WORDS)) {
            long head = data(at(read));
            long length = MulticastDescriptor.bytes(head);
            if (length > PACKET_BYTES || isThere(HEAD_WORDS + (int) payloadWords(length))) {
                kind = MulticastDescriptor.kind(head);
                key = data(at(read + 1));
                bytes = length;
                read += HEAD_WORDS;
                taken = 0;
                to = 0;
                present = true;
                if (length <= PACKET_BYTES) {
                    stretch();
                }
            }
        }
        return present;
    }

    /** Whether the next words have arrived. */
    private boolean isThere(int count) {
        for (int i = 0; i < count; i++) {
            if (!MulticastDescriptor.isThere(at(read + i), read + i, words)) {
                return false;
            }
        }
        return true;
    }

    private long at(long position) {
        return memory.getLongAcquire(ring + (((int) position & words - 1) << 3));
    }

    @Override
    protected int stretch() {
        if (taken == to) {
            from = taken;
            to += unpack((int) Math.min(bytes - taken, SCRATCH_BYTES));
        }
        return (int) (to - taken);
    }

    @Override
    protected NativeMemory memory() {
        return scratch;
    }

    @Override
    protected int position() {
        return (int) (taken - from);
    }

    /**
     * Copies up to so many bytes that have arrived into the scratch memory, in whole words but the last; returns how
     * many.
     */
    private int unpack(int wanted) {
        int count = (int) payloadWords(wanted);
        int got = 0;
        VarHandle.acquireFence(); // read the words anew; each carries its own lap, so no other order matters
        while (got < count) {
            int place = (int) (read + got) & words - 1;
            int run = Math.min(count - got, words - place);
            int there = MulticastDescriptor.unpack(memory.bytes, ring + (place << 3), scratch.bytes, got * DATA_BYTES,
                run, lapBits(read + got, words));
            got += there;
            if (there < run) {
                got = got / GRAIN_WORDS * GRAIN_WORDS;
                wanted = got * DATA_BYTES;
                break;
            }
        }
        read += got;
        return wanted;
    }

    @Override
    protected long take(int now) {
        taken += now;
        present = taken < bytes;
        handedOut = read;
        if (read - acknowledged >= words / REPORTS_A_LAP) {
            acknowledge();
        }
        return now;
    }

    /** Tells the sender what has been consumed, unless it knows. */
    synchronized void acknowledge() {
        long now = handedOut;
        if (now != acknowledged) {
            acknowledged = now;
            sender.acknowledge(slot, acknowledgement(id, now));
        }
    }
}

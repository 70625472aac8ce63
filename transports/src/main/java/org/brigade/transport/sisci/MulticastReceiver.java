package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.MulticastDescriptor.*;

import java.lang.invoke.VarHandle;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.ReceivingEnd;
import org.brigade.transport.sisci.adapter.MulticastDescriptor;

/**
 * What one member sends to all, as another reads it in its own memory. By whoever holds the progress lock; the tender
 * acknowledges what was consumed and not acknowledged yet.
 */
final class MulticastReceiver extends ReceivingEnd {
    /** Who sends, as the receiver sees him. */
    interface Writer {
        /** Tells him how much of what he sends to many has been consumed. */
        void acknowledge(int slot, long value);
    }

    /** What is not acknowledged at once is less than one of so many parts of the ring. */
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
    /** The bytes of the message that are in the scratch memory. */
    private long from;
    private long to;
    /** Words of messages, or parts of them, that have been handed out; read by the tender. */
    private volatile long handedOut;
    private long acknowledged;

    /** @param ring where the sender's begins, in bytes */
    MulticastReceiver(int id, int slot, Writer sender, NativeMemory memory, int ring, int words) {
        this.id = id;
        this.slot = slot;
        this.sender = sender;
        this.memory = memory;
        this.ring = ring;
        this.words = words;
    }

    /** The key's lower 56 bits come. */
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

    /** Whether the next words have come. */
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

    /** Brings what has come of so many bytes into the scratch memory, whole words but for the last; how many. */
    private int unpack(int wanted) {
        int count = (int) payloadWords(wanted);
        int got = 0;
        VarHandle.acquireFence(); // what is looked at now is looked at anew; each word tells of itself, so nothing else
                                  // need be ordered
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

    /** Tells the sender what has been consumed, if he has not been told. */
    synchronized void acknowledge() {
        long now = handedOut;
        if (now != acknowledged) {
            acknowledged = now;
            sender.acknowledge(slot, acknowledgement(id, now));
        }
    }
}

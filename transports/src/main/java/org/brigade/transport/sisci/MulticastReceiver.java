package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.MulticastDescriptor.*;

import java.lang.invoke.VarHandle;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.OneWayLink;
import org.brigade.transport.sisci.adapter.MulticastDescriptor;

/**
 * What one member sends to all, as another reads it in its own memory. By whoever holds the progress lock; the tender
 * acknowledges what was consumed and not acknowledged yet.
 */
final class MulticastReceiver extends OneWayLink {
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
    private boolean present;
    private int kind;
    private long bytes;
    private long key;
    private long taken;
    /** Words of messages, or parts of them, that have been handed out; read by the tender. */
    private volatile long handedOut;
    private long acknowledged;

    /**
     * @param peer the sender, as rank of the job
     * @param ring where his begins, in bytes
     */
    MulticastReceiver(int id, int slot, Writer sender, int peer, NativeMemory memory, int ring, int words) {
        super(peer);
        this.id = id;
        this.slot = slot;
        this.sender = sender;
        this.memory = memory;
        this.ring = ring;
        this.words = words;
    }

    @Override
    public boolean poll() {
        if (!present && isThere(at(read), read, words) && isThere(at(read + 1), read + 1, words)) {
            long head = data(at(read));
            bytes = MulticastDescriptor.bytes(head);
            kind = MulticastDescriptor.kind(head);
            key = data(at(read + 1));
            read += HEAD_WORDS;
            taken = 0;
            present = true;
        }
        return present;
    }

    private long at(long position) {
        return memory.getLongAcquire(ring + (((int) position & words - 1) << 3));
    }

    @Override
    public int kind() {
        return kind;
    }

    /** Its lower 56 bits. */
    @Override
    public long key() {
        return key;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long remaining() {
        return bytes - taken;
    }

    @Override
    public long tryRecv(Region target, long at) {
        int now = unpack(bytes - taken);
        if (now > 0) {
            target.write(at, scratch, 0, now);
        }
        return take(now);
    }

    @Override
    public long tryDiscard(long limit) {
        long discarded = 0;
        while (present && discarded < limit || present && bytes == 0) {
            int now = unpack(Math.min(bytes - taken, limit - discarded));
            if (now == 0 && bytes > 0) {
                break;
            }
            discarded += take(now);
        }
        return discarded;
    }

    /** Brings what has come of the message into the scratch memory, whole words but for the last; its bytes. */
    private int unpack(long most) {
        int wanted = (int) (most < SCRATCH_BYTES && most == bytes - taken ? most
            : Math.min(most, SCRATCH_BYTES) / GRAIN_BYTES * GRAIN_BYTES);
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

    private long take(int now) {
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

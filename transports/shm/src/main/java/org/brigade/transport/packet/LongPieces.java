package org.brigade.transport.packet;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;

/**
 * The pieces of long messages between this rank and a peer, one way and on one lane, straight from memory or into it.
 * Each piece is a message of the carrier without a head. Pieces end in the order in which they began. Under
 * {@link PacketEnd#lock}.
 */
final class LongPieces {
    /** Pieces under way at once. */
    static final int DEPTH = 4;
    /** The longest wait for pieces under way when their call has failed. */
    private static final long SETTLE_NANOS = 2_000_000_000L;

    private final Packets packets;
    private final Losses losses;
    private final int peer;
    private final int lane;
    private final boolean out;
    /** A ring of requests: {@code running} requests from {@code oldest} on have not ended. */
    private final NativeMemory requests = NativeMemory.allocate(DEPTH * MessageCarrier.REQUEST_BYTES);
    private final int[] lengths = new int[DEPTH];
    /** The buffers that pieces go from or to; they are not collected meanwhile. */
    private final Object[] buffers = new Object[DEPTH];
    private int oldest;
    private int running;
    /** A piece has ended with an error, so the peer is lost. */
    private boolean failed;

    /** Hears of peers that are lost. */
    interface Losses {
        void failed(int peer, CarrierException e);

        /** Gives up a peer that does not go on. */
        void cut(int peer, String why);
    }

    LongPieces(Packets packets, Losses losses, int peer, int lane, boolean out) {
        this.packets = packets;
        this.losses = losses;
        this.peer = peer;
        this.lane = lane;
        this.out = out;
    }

    boolean isFull() {
        return running == DEPTH;
    }

    boolean isEmpty() {
        return running == 0;
    }

    /** Begins a piece from or into memory that stays as it is until the piece has ended. */
    void begin(Region memory, long at, int length) {
        int place = (oldest + running) % DEPTH;
        packets.beginLong(out, memory.address() + at, length, peer, lane, requests,
            place * MessageCarrier.REQUEST_BYTES);
        lengths[place] = length;
        buffers[place] = memory.buffer();
        running++;
    }

    /** Bytes of the pieces that have ended since the last call; none any more once one has failed. */
    int ended() {
        int bytes = 0;
        while (running > 0) {
            try {
                if (!packets.carrier.test(requests, oldest * MessageCarrier.REQUEST_BYTES)) {
                    break;
                }
            } catch (CarrierException e) {
                failed = true;
                losses.failed(peer, e);
            }
            bytes += failed ? 0 : lengths[oldest];
            buffers[oldest] = null;
            oldest = (oldest + 1) % DEPTH;
            running--;
        }
        return bytes;
    }

    /** Takes back the receives to which nothing has come yet; returns their bytes. */
    int withdraw() {
        int bytes = 0;
        while (running > 0) {
            int last = (oldest + running - 1) % DEPTH;
            if (!packets.carrier.withdraw(requests, last * MessageCarrier.REQUEST_BYTES)) {
                break;
            }
            bytes += lengths[last];
            buffers[last] = null;
            running--;
        }
        return bytes;
    }

    /**
     * Waits until nothing is under way, because the memory is somebody else's from now on. Both ends have begun these
     * pieces, and a peer that computes moves them, too (its tender does), so this takes as long as they do. A peer that
     * does not move them is cut off.
     *
     * @return bytes of the pieces that have ended
     */
    int settle() {
        int bytes = ended();
        long deadline = System.nanoTime() + SETTLE_NANOS;
        boolean cut = false;
        while (running > 0) {
            if (System.nanoTime() - deadline > 0) {
                if (cut) {
                    break; // the library does not end what was cut: the buffers stay referred to
                }
                cut = true;
                losses.cut(peer, "has not moved for 2 s what a failed call had begun");
                deadline = System.nanoTime() + SETTLE_NANOS;
            }
            Thread.onSpinWait();
            bytes += ended();
        }
        return bytes;
    }
}

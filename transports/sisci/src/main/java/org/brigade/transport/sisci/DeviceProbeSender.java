package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.InboxDescriptor.*;

import org.brigade.transport.sisci.adapter.AttachedMemory.Attachment;
import org.brigade.transport.sisci.adapter.DmaChannel;
import org.brigade.transport.sisci.adapter.Inbox;
import org.brigade.transport.sisci.adapter.Outbox;
import org.brigade.transport.sisci.adapter.Sisci;
import org.brigade.transport.sisci.adapter.SisciException;

/** Sends the samples of {@link DeviceProbe} through the ring of one lane. Under the connection's lock. */
final class DeviceProbeSender {
    private static final int BYTES = SisciDeviceSide.SAMPLE_BYTES;
    private static final int CLOSE_MILLIS = 1000;

    private final Bridge bridge;
    private final DeviceProbe probe;
    private final int lane;
    private final Inbox inbox;
    private final Outbox outbox;
    private final WordWriter words;
    private final RingWriter ring;
    /** The channel of the sample on its way; null while there is none. */
    private DmaChannel channel;
    private Attachment sample;
    private long start;
    private long key;
    private String refused;

    DeviceProbeSender(Bridge bridge, DeviceProbe probe, int lane, Inbox inbox, Outbox outbox, WordWriter words,
        RingWriter ring) {
        this.bridge = bridge;
        this.probe = probe;
        this.lane = lane;
        this.inbox = inbox;
        this.outbox = outbox;
        this.words = words;
        this.ring = ring;
    }

    /**
     * Begins to send a sample from attached memory; false if there is no room for it now. No message may be under way.
     */
    boolean start(Attachment from, long address, int number, long checksum) {
        long begin = ring.next();
        if (ring.inOnePiece(begin) < BYTES) {
            begin += ring.inOnePiece(begin);
        }
        DmaChannel free = ring.isShortOf(begin + BYTES) ? null : bridge.freeChannel();
        if (free == null) {
            return false;
        }
        channel = free;
        sample = from;
        start = begin;
        key = (long) number << 32 | checksum;
        try {
            channel.startAttached(from, address, outbox.remote, ring.place(start), BYTES);
        } catch (SisciException e) {
            refused = e.getMessage();
        }
        return true;
    }

    boolean hasStarted() {
        return channel != null;
    }

    /** Whether a sample is on its way; if it has arrived, tells the peer. */
    boolean isRunning() {
        return channel != null && !hasEnded();
    }

    /** Whether the peer has been told of the sample, or nothing is left to be told. */
    private boolean hasEnded() {
        int state = refused != null ? Sisci.DMA_ERROR : channel.state();
        if (state == Sisci.DMA_POSTED || words.isShortOf(RINGED_WORDS)) {
            return false;
        }
        boolean done = state == Sisci.DMA_DONE || state == Sisci.DMA_IDLE;
        if (done) {
            ring.publish(start + BYTES);
            words.putHead(0, key, PROBE);
            words.putLong(BYTES);
            words.putLong(start);
            words.put(BYTES);
            bridge.stored();
        }
        String failure = done ? null : refused != null ? refused
            : SisciException.of("SCIStartDmaTransfer", SisciException.TRANSFER_FAILED).getMessage();
        bridge.release(channel);
        channel = null;
        refused = null;
        probe.sent(sample, lane, failure);
        sample = null;
        return true;
    }

    /** The peer's last answer to a sample that came by a lane. */
    long verdict(int ofLane) {
        return inbox.word(line(ofLane) + PROBE_VERDICT);
    }

    /** Waits until the transfer has ended, so that its memory may be freed. */
    void close() {
        if (channel != null) {
            channel.await(CLOSE_MILLIS);
        }
    }
}

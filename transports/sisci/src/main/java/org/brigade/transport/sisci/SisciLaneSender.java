package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.InboxDescriptor.*;

import mpi.spi.DeviceBuffer;
import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.sisci.adapter.AttachedMemory.Attachment;
import org.brigade.transport.sisci.adapter.Inbox;
import org.brigade.transport.sisci.adapter.InboxDescriptor;
import org.brigade.transport.sisci.adapter.Outbox;
import org.brigade.transport.sisci.adapter.SisciSettings;

/**
 * The sending end of one lane. Short messages go as words that carry their own lap number ({@link WordWriter}). Longer
 * ones go through the ring ({@link RingWriter}): the processor copies them, or from the crossover on DMA does
 * ({@link DmaSender}). The longest go straight into the receiver's memory, if it says where ({@link RendezvousSender}).
 * Under the connection's lock.
 *
 * <p>
 * A message that goes by DMA counts as begun once its first 16 bytes are accepted. All others are accepted when the
 * adapter has confirmed them. A caller may continue from a copy of the message in other memory: bytes still being sent
 * from the old memory are then sent again.
 */
final class SisciLaneSender implements DmaSender.Destination {
    /**
     * The first chunk that the processor copies: small, so that the receiver starts soon. Chunks double up to
     * {@link #LARGEST_COPY}. The adapter confirms each chunk in 3 us, a third of the time that the first one takes.
     */
    private static final int FIRST_COPY = 64 << 10;
    private static final int LARGEST_COPY = 256 << 10;
    /** Bytes accepted of a message that DMA has begun. */
    private static final int BEGUN = 16;

    private final Bridge bridge;
    private final DeviceProbe probe;
    private final int lane;
    private final Inbox inbox;
    private final Outbox outbox;
    private final int inlineBytes;
    private final NativeMemory scratch;
    private final WordWriter words;
    private final RingWriter ring;
    private final DmaSender dma;
    private final RendezvousSender rendezvous;
    private final DeviceProbeSender samples;

    /** Length of the message under way, and how many of its bytes are accepted; both 0 between messages. */
    private long open;
    private long accepted;
    private boolean byDma;
    private int kind;
    private long key;
    private long length;
    private boolean told;
    /** For a message that the processor copies: up to where the ring has been filled. */
    private long copied;

    SisciLaneSender(Bridge bridge, DeviceProbe probe, int lane, Inbox inbox, Outbox outbox) {
        this.bridge = bridge;
        this.probe = probe;
        this.lane = lane;
        this.inbox = inbox;
        this.outbox = outbox;
        inlineBytes = InboxDescriptor.inlineBytes(lane);
        scratch = NativeMemory.allocate(inlineBytes + 8);
        LaneCredit credit = new LaneCredit(bridge, lane, inbox);
        int grain = Math.max(GRAIN, bridge.adapter.grain);
        words = new WordWriter(lane, credit, outbox.memory);
        ring = new RingWriter(lane, credit, outbox, grain);
        dma = new DmaSender(bridge, probe, this, grain);
        samples = new DeviceProbeSender(bridge, probe, lane, inbox, outbox, words, ring);
        rendezvous = new RendezvousSender(bridge, probe, lane, inbox, outbox, words, ring);
    }

    // ---- messages ----

    long trySend(int messageKind, long messageKey, Region source, long at, long bytes, long sent) {
        if (samples.isRunning()) {
            return Link.REFUSED;
        }
        if (bytes > inlineBytes) {
            return sent == 0 ? begin(messageKind, messageKey, source, at, bytes) : goOn(source, at, bytes, sent);
        }
        int payload = payloadWords((int) bytes);
        if (open != 0 || words.isShortOf(HEAD_WORDS + payload)) {
            return Link.REFUSED;
        }
        if (bytes > 0) {
            scratch.putLong((int) bytes - 1 & -8, 0); // so that no byte of an earlier message is sent
            source.read(at, scratch, 0, (int) bytes);
        }
        words.putHead(messageKind, messageKey, (int) bytes);
        for (int i = 0; i < payload; i++) {
            words.put(scratch.bytes.getInt(i << 2));
        }
        bridge.stored();
        return bytes;
    }

    boolean trySendWords(int messageKind, long messageKey, long firstWord, long secondWord) {
        if (samples.isRunning() || open != 0 || words.isShortOf(HEAD_WORDS + 4)) {
            return false;
        }
        words.putHead(messageKind, messageKey, 16);
        words.putLong(firstWord);
        words.putLong(secondWord);
        bridge.stored();
        return true;
    }

    private long begin(int messageKind, long messageKey, Region source, long at, long bytes) {
        if (lane == FabricEnd.CONTROL) {
            throw new IllegalArgumentException("a notice has " + bytes + " bytes; at most " + inlineBytes + " fit");
        }
        if (open != 0 || words.isShortOf(RINGED_WORDS)) {
            return Link.REFUSED;
        }
        kind = messageKind;
        key = messageKey;
        length = bytes;
        told = false;
        byDma = bytes >= bridge.crossover(source);
        if (!byDma) {
            copied = ring.next();
            return copyOn(source, at, bytes, 0);
        }
        Attachment attachment = null;
        if (source.isDevice() && bytes >= SisciDeviceSide.DIRECT_BYTES) {
            attachment = probe.attachment(samples, (DeviceBuffer) source.buffer());
            if (samples.hasStarted()) {
                return Link.REFUSED;
            }
        }
        if (rendezvous.isWorth(bytes)) {
            rendezvous.begin(kind, key, bytes, attachment);
        } else if (!dma.begin(source, at, bytes, attachment)) {
            return Link.REFUSED;
        }
        open = bytes;
        accepted = BEGUN;
        return BEGUN;
    }

    private long goOn(Region source, long at, long bytes, long sent) {
        if (bytes != open || sent != accepted) {
            throw new IllegalStateException("cannot send byte " + sent + " of a message of " + bytes + " bytes: byte "
                + accepted + " of " + open + " is next");
        }
        if (!byDma) {
            return copyOn(source, at, bytes, sent);
        }
        if (rendezvous.isOpen()) {
            return goOnAgreed(source, at, bytes);
        }
        long now = Math.max(accepted, dma.goOn(source, at, bytes)) - accepted;
        advance(bytes, accepted + now);
        return now > 0 ? now : Link.REFUSED;
    }

    /** Goes on with a message whose receiver was asked where it is to be written. */
    private long goOnAgreed(Region source, long at, long bytes) {
        switch (rendezvous.goOn(source, at, bytes)) {
            case SENT -> {
                long now = bytes - accepted;
                advance(bytes, bytes);
                return now;
            }
            case BY_RING -> {
                if (words.isShortOf(RINGED_WORDS) || !dma.begin(source, at, bytes, null)) {
                    return Link.REFUSED;
                }
                rendezvous.end();
                return Link.REFUSED;
            }
            default -> {
                long now = Math.min(bytes - 1, rendezvous.arrived()) - accepted;
                if (now <= 0) {
                    return Link.REFUSED;
                }
                advance(bytes, accepted + now); // so that the caller does not take a long transfer for a standstill
                return now;
            }
        }
    }

    private void advance(long bytes, long total) {
        boolean ended = total == bytes;
        if (ended) {
            dma.letGo();
        }
        open = ended ? 0 : bytes;
        accepted = ended ? 0 : total;
    }

    /** Copies by the processor. */
    private long copyOn(Region source, long at, long bytes, long sent) {
        long share =
            Math.min(Math.max(FIRST_COPY, sent), Math.min(LARGEST_COPY, outbox.ringBytes / SisciSettings.CHUNKS_A_RING))
                & -GRAIN;
        int chunk = (int) Math.min(Math.min(bytes - sent, share), ring.inOnePiece(copied));
        if (ring.isShortOf(copied + chunk)) {
            return Link.REFUSED;
        }
        if (source.isNative()) {
            outbox.copy(source.address() + at + sent, ring.place(copied), chunk);
        } else {
            NativeMemory staging = bridge.copyStaging(LARGEST_COPY);
            source.read(at + sent, staging, 0, chunk);
            outbox.copy(staging.address(), ring.place(copied), chunk);
        }
        if (!bridge.confirmed()) {
            return Link.REFUSED; // it will be copied again
        }
        publish(copied, chunk);
        copied += chunk;
        advance(bytes, sent + chunk);
        return chunk;
    }

    /**
     * A chunk of the message under way has arrived. Moves the tail behind it, and announces the message with its first
     * chunk.
     */
    private void publish(long start, int chunk) {
        ring.publish(start + chunk);
        if (!told) {
            words.putHead(kind, key, RINGED);
            words.putLong(length);
            words.putLong(start);
            words.put(chunk);
            told = true;
        }
        bridge.stored();
    }

    // ---- the ring, as DMA sees it ----

    @Override
    public long remote() {
        return outbox.remote;
    }

    @Override
    public long place(long position) {
        return ring.place(position);
    }

    @Override
    public int inOnePiece(long position) {
        return ring.inOnePiece(position);
    }

    @Override
    public boolean isShortOf(long end) {
        return ring.isShortOf(end);
    }

    @Override
    public long next() {
        return ring.next();
    }

    @Override
    public void arrived(long start, int bytes) {
        publish(start, bytes);
    }

    @Override
    public boolean retries() {
        return true;
    }

    /** Stores everything again that the peer may not have, after a failed sequence check. */
    void storeAgain() {
        words.storeAgain();
        ring.storeAgain();
    }

    /** Waits until all transfers have ended, so that their memory may be freed. */
    void close() {
        samples.close();
        dma.close();
        rendezvous.close();
    }
}

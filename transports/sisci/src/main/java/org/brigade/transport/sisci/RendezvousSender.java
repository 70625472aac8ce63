package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.InboxDescriptor.*;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.transport.sisci.adapter.AttachedMemory.Attachment;
import org.brigade.transport.sisci.adapter.Inbox;
import org.brigade.transport.sisci.adapter.Outbox;
import org.brigade.transport.sisci.adapter.SisciException;
import org.brigade.transport.sisci.adapter.WritableBuffers;

/**
 * Messages that DMA writes straight into the receiver's memory, as the sending end of a lane sees them. The receiver's
 * processor copies nothing but the edges, which do not fill pages. Source: the thesis' mailbox protocol (Cubedo 2021,
 * 4.2.6), in which memory is registered beforehand; here the receiver registers what a message is to go to.
 *
 * <pre>
 *   sender                                  receiver
 *   record RENDEZVOUS: kind, key, bytes ->
 *                                        <- answer: segment, place in it, first byte, length     (RECV_REQUESTED)
 *   DMA of these bytes -> segment
 *   copy of all others -> ring
 *   record NOTIFIED: their place, checksum ->                                                    (SEND_NOTIFIED)
 *                                        <- answer TAKEN, if the first answer asked for it
 * </pre>
 *
 * <p>
 * The answer may also be {@link #BY_RING}, at either place: the receiver has no such memory, or nothing has arrived in
 * it. If the sender cannot write there, it says nothing. In both cases the record of a message in the ring comes next.
 * Once every so often a lane whose receiver says no is not asked, more rarely the more often it has said so.
 *
 * <p>
 * Under the connection's lock.
 */
final class RendezvousSender implements DmaSender.Destination {
    private static final int LONGEST_PAUSE = 63;

    enum Progress { WAITING, SENT, BY_RING }

    private enum State { NONE, ASKED, WRITING, ARRIVED, NOTIFIED, DECLINED }

    private final Bridge bridge;
    private final int answer;
    private final Inbox inbox;
    private final Outbox outbox;
    private final WordWriter words;
    private final RingWriter ring;
    private final DmaSender dma;
    /** The edges of a message, or what is summed; made on first use. */
    private NativeMemory scratch;

    private State state = State.NONE;
    private int kind;
    private long key;
    private Attachment attachment;
    /** How many answers have come. */
    private int answers;
    private int pause;
    private int skipped;

    private int id;
    private long segment;
    private long place;
    private int from;
    private long length;
    private boolean confirms;

    RendezvousSender(Bridge bridge, DeviceProbe probe, int lane, Inbox inbox, Outbox outbox, WordWriter words,
        RingWriter ring) {
        this.bridge = bridge;
        this.inbox = inbox;
        this.outbox = outbox;
        this.words = words;
        this.ring = ring;
        answer = line(lane) + ANSWER;
        dma = new DmaSender(bridge, probe, this, WritableBuffers.PAGE);
    }

    /** Whether to ask the receiver of a message that DMA is to carry. */
    boolean isWorth(long bytes) {
        long least = bridge.adapter.settings.rendezvous();
        if (least <= 0 || bytes < least) {
            return false;
        }
        if (skipped < pause) {
            skipped++;
            return false;
        }
        return true;
    }

    boolean isOpen() {
        return state != State.NONE;
    }

    /**
     * Asks the receiver. There must be room for the record.
     *
     * @param source the attachment of its device memory if DMA is to read that; else null
     */
    void begin(int messageKind, long messageKey, long bytes, Attachment source) {
        kind = messageKind;
        key = messageKey;
        attachment = source;
        record(RENDEZVOUS, bytes, 0);
        state = State.ASKED;
    }

    private void record(int what, long first, long second) {
        words.putHead(kind, key, what);
        words.putLong(first);
        words.putLong(second);
        words.put(0);
        bridge.stored();
    }

    Progress goOn(Region source, long at, long bytes) {
        if (state == State.ASKED && hear(bytes)) {
            declineOrWrite(bytes);
        }
        if (state == State.WRITING && write(source, at)) {
            state = State.ARRIVED;
        }
        if (state == State.ARRIVED && notified(source, at, bytes)) {
            state = State.NOTIFIED;
        }
        if (state == State.NOTIFIED && (!confirms || hear(bytes))) {
            if (!confirms || id == TAKEN) {
                state = State.NONE;
                pause = 0;
                return Progress.SENT;
            }
            decline();
        }
        return state == State.DECLINED ? Progress.BY_RING : Progress.WAITING;
    }

    /** Up to which byte DMA has written the message, if it does. */
    long arrived() {
        return state == State.WRITING ? from + dma.arrived() : 0;
    }

    /** The message goes on by the ring. */
    void end() {
        state = State.NONE;
    }

    /** Reads the next answer, if it is there. */
    private boolean hear(long bytes) {
        int number = answers + 1;
        for (int i = 0; i < ANSWER_WORDS; i++) {
            if (inbox.word(answer + (i << 3)) >>> 32 != (number & 0xffff_ffffL)) {
                return false;
            }
        }
        answers = number;
        id = data(0);
        if (id == BY_RING || id == TAKEN) {
            return true;
        }
        place = data(1) & 0xffff_ffffL | (long) data(2) << 32;
        confirms = (data(3) & CONFIRM) != 0;
        from = data(3) & ~CONFIRM;
        length = data(4) & 0xffff_ffffL | (long) data(5) << 32;
        if (state != State.ASKED || place < 0 || place % WritableBuffers.PAGE != 0 || length <= 0
            || length % WritableBuffers.PAGE != 0 || length > bytes - from || bytes - length > edgeRoom()) {
            bridge.refuse("has asked for " + length + " bytes from byte " + from + " on of a message of " + bytes
                + " at byte " + place + " of its segment 0x" + Integer.toHexString(id));
            return false;
        }
        return true;
    }

    private int data(int word) {
        return (int) inbox.word(answer + (word << 3));
    }

    /** Bytes of a message that may go through the ring beside its transfer. */
    private static int edgeRoom() {
        return 2 * WritableBuffers.PAGE;
    }

    private void declineOrWrite(long bytes) {
        if (id == BY_RING || id == TAKEN) {
            decline();
            return;
        }
        try {
            segment = bridge.targets().segment(id, place + length);
            dma.prepare(attachment);
            attachment = null; // now that of dma
            state = State.WRITING;
        } catch (SisciException e) {
            decline();
        }
    }

    private void decline() {
        if (attachment != null) {
            bridge.side().attached().release(attachment);
            attachment = null;
        }
        pause = Math.min(LONGEST_PAUSE, 2 * pause + 1);
        skipped = 0;
        state = State.DECLINED;
    }

    /** Whether all that DMA carries has arrived. */
    private boolean write(Region source, long at) {
        boolean works;
        try {
            if (dma.goOn(source, at + from, length) == length) {
                dma.letGo();
                return true;
            }
            works = !dma.hasFailed();
        } catch (SisciException e) {
            works = false;
        }
        if (!works) {
            if (dma.cancel()) {
                bridge.targets().forget(id);
                decline();
            } else { // what is still running would write into memory that the receiver takes for its own
                bridge.fail(SisciException.of("SCIAbortDMAQueue", SisciException.TIMEOUT));
            }
        }
        return false;
    }

    /** Sends the edges through the ring, and tells the receiver; false if there is no room now. */
    private boolean notified(Region source, long at, long bytes) {
        int edges = (int) (bytes - length);
        long start = ring.next();
        if (edges > ring.inOnePiece(start)) {
            start += ring.inOnePiece(start);
        }
        if (words.isShortOf(RINGED_WORDS) || ring.isShortOf(start + edges)) {
            return false;
        }
        if (edges > 0) {
            source.read(at, scratch(), 0, from);
            source.read(at + from + length, scratch(), from, edges - from);
            outbox.copy(scratch().address(), ring.place(start), edges);
            if (!bridge.confirmed()) {
                return false; // they will be copied again
            }
            ring.publish(start + edges);
        }
        record(NOTIFIED, start,
            bridge.adapter.settings.checksum() ? RendezvousReceiver.checksum(source, at, bytes, scratch()) : 0);
        return true;
    }

    private NativeMemory scratch() {
        if (scratch == null) {
            scratch = NativeMemory.allocate(RendezvousReceiver.SUMMED);
        }
        return scratch;
    }

    /** Waits until all transfers have ended, so that their memory may be freed. */
    void close() {
        dma.close();
    }

    // ---- the receiver's memory, as DMA sees it ----

    @Override
    public long remote() {
        return segment;
    }

    @Override
    public long place(long position) {
        return position;
    }

    @Override
    public int inOnePiece(long position) {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean isShortOf(long end) {
        return false;
    }

    @Override
    public long next() {
        return place;
    }

    @Override
    public void arrived(long start, int bytes) {
        // The receiver hears of the whole.
    }

    @Override
    public boolean retries() {
        return false;
    }
}

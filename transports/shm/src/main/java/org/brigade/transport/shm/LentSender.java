package org.brigade.transport.shm;

import org.brigade.memory.NativeMemory;
import org.brigade.memory.Region;
import org.brigade.nativ.ProcessMemory;
import org.brigade.transport.Link;

/**
 * The sending end of lent messages: long ones in host memory outside the heap, which the kernel copies once, from one
 * process to the other. {@link HostSender} says which messages are lent.
 *
 * <pre>
 *   sender                                            receiver, once it knows where the bytes must go
 *   a packet: length, address            ->
 *                                        <-  TAKING   the target can be written to: its address
 *   claims pieces, writes them there                  claims pieces, reads them from here
 *                                        <-  TAKEN    all bytes are there
 *
 *   a packet                             ->
 *                                        <-  TAKEN    the target is in the heap, the bytes are reduced, or one
 *                                                     read takes them and there is a message the other way:
 *                                                     it has read them all by itself
 *   a packet                             ->
 *                                        <-  REFUSED_LOAN    it cannot read from this process
 *   the message, through the ring        ->
 * </pre>
 *
 * <p>
 * A call that fails goes on with a copy of its message, as its memory is the user's again. Then this side lends the
 * copy. The receiver looks at the address before and after it reads a piece, and reads the piece again if the address
 * has changed.
 *
 * <p>
 * Both sides copy, so that a message takes half as long. Messages do not overtake each other, so a link lends one at a
 * time. The caller's memory is free when the receiver has taken the last byte.
 */
final class LentSender {
    private static final int GRAIN = 16;

    private enum State { NONE, LENT, SHARED, RINGED }

    private final PeerProcesses processes;
    private final int peer;
    private final ChannelSender out;
    private State state = State.NONE;
    /** The memory that is lent. */
    private long lent;
    /** A copy of the message, lent instead since its call has failed. */
    private NativeMemory copy;
    private int pushed;
    private long ringSent;

    /** @param peer its place on the node */
    LentSender(PeerProcesses processes, int peer, ChannelSender out) {
        this.processes = processes;
        this.peer = peer;
        this.out = out;
    }

    /** Whether a lent message is under way. */
    boolean isBusy() {
        return state != State.NONE;
    }

    /** Continues the message under way, as {@link Link#trySend} does. */
    long trySend(Region source, long at, long bytes, long sent) {
        long accepted = goOn(source, at, bytes, sent);
        if (accepted == bytes) {
            state = State.NONE;
        }
        return accepted > sent ? accepted - sent : Link.REFUSED;
    }

    /** Lends a message; only if the channel {@link ChannelSender#mayBegin}. Counts some bytes as sent. */
    long begin(int kind, long key, Region source, long at, long bytes) {
        lent = source.address() + at;
        out.tryLend(kind, key, bytes, lent, System.nanoTime());
        pushed = 0;
        state = State.LENT;
        return GRAIN;
    }

    /** Bytes of the message that have been accepted so far. */
    private long goOn(Region source, long at, long bytes, long sent) {
        if (state != State.RINGED) {
            switch (out.verdict()) {
                case ChannelDescriptor.TAKEN -> {
                    out.endOffer();
                    copy = null;
                    return bytes;
                }
                case ChannelDescriptor.TAKING -> state = State.SHARED;
                case ChannelDescriptor.REFUSED_LOAN -> {
                    if (out.cannotBeRead()) {
                        processes.refuse(peer);
                    }
                    out.offerByRing();
                    ringSent = 0;
                    copy = null;
                    state = State.RINGED;
                }
                default -> {
                }
            }
        }
        if (state == State.RINGED) {
            ringSent += Math.max(0, out.trySendRinged(source, at, bytes, ringSent));
            return ringSent == bytes ? bytes : Math.max(sent, Math.min(ringSent, bytes - 1));
        }
        if (copy == null && (!source.isNative() || source.address() + at != lent)) {
            copy = NativeMemory.allocate(Math.toIntExact(bytes));
            source.read(at, copy, 0, (int) bytes);
            lent = copy.address();
            out.lendInstead(lent);
        }
        if (state == State.SHARED) {
            push(bytes);
        }
        return sent;
    }

    /** Writes a piece of the message, if the receiver has not claimed all. */
    private void push(long bytes) {
        ProcessMemory process = pushed == ChannelDescriptor.CANNOT_PUSH ? null : processes.find(peer);
        if (process == null) {
            return; // the receiver reads all pieces
        }
        int piece = out.claim(ChannelDescriptor.pieces(bytes));
        if (piece >= 0) {
            long from = ChannelDescriptor.pieceStart(bytes, piece);
            int failed = process.write(out.target() + from, lent + from, ChannelDescriptor.pieceLength(bytes, piece));
            pushed = failed == 0 ? pushed + 1 : ChannelDescriptor.CANNOT_PUSH;
            out.tellPushed(pushed);
        }
    }
}

package org.brigade.transport;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/**
 * Both directions between this rank and one peer on one lane: an ordered, bounded stream of messages each way. Nothing
 * here blocks: no credit is a return value ({@link #REFUSED}), and messages longer than the link's capacity go piece by
 * piece. A message is a kind, a key and 0 or more bytes; what they mean is the business of the layer above (a
 * communicator and epoch for collectives, a communicator and tag for point-to-point).
 *
 * <p>
 * At most {@link #PACKET_BYTES} bytes travel in one cache line with their header, and are taken whole. The first bytes
 * of a longer message are there when its header is; the others may follow later.
 *
 * <p>
 * One thread at a time may use a link (the process's progress lock sees to that).
 */
public interface Link {
    /** What the calls that cannot go on answer: try again later. */
    long REFUSED = -1;
    /** Bytes that fit in a packet beside its header. */
    int PACKET_BYTES = 48;

    /** The rank at the other end (in the job). */
    int peer();

    // ---- sending ----

    /**
     * Sends the next bytes of a message.
     *
     * @param kind 0 to 253; two more are for a link that stands in front of another one
     * @param source where the bytes are
     * @param at position in the source of the message's byte 0
     * @param bytes length of the whole message, the same in every call for it
     * @param sent bytes that earlier calls for this message have accepted; 0 begins a message
     * @return bytes accepted now (the message has gone when the sum reaches {@code bytes}; a message of 0 bytes has
     * gone when 0 is returned), or {@link #REFUSED}: no credit, or another message has begun on this link and not ended
     */
    long trySend(int kind, long key, Region source, long at, long bytes, long sent);

    /** Sends a message of 16 bytes made of two words; false means no credit. */
    boolean trySendWords(int kind, long key, long first, long second);

    // ---- receiving: the message at the head of the stream ----

    /** Whether a message is at the head (one that is partly received stays there until its last byte is taken). */
    boolean poll();

    /** Kind of the message at the head; only after {@link #poll} was true, as the others below. */
    int kind();

    /** Key of the message at the head. */
    long key();

    /** Length of the whole message at the head. */
    long bytes();

    /** Bytes of it that are still to be taken. */
    long remaining();

    /**
     * Whether some of it has been taken, or a call to take it has begun something that goes on by itself: then no other
     * may take it.
     */
    default boolean isTaken() {
        return remaining() < bytes();
    }

    /** Word 0 to 5 of a message of at most {@link #PACKET_BYTES} bytes, without taking it. */
    long word(int index);

    /**
     * Takes the next bytes of the message at the head into {@code target} from position {@code at} on; at most
     * {@link #remaining}.
     *
     * @return bytes taken, 0 if none are there yet; taking the last one (or calling this for a message of 0 bytes) ends
     * the message
     */
    long tryRecv(Region target, long at);

    /**
     * As {@link #tryRecv}, but {@code target[i] = operand[i] op incoming[i]}, in pieces of a multiple of 16 bytes (but
     * for the last), so only for combiners whose {@link Combiner#itemBytes} divides 16; operand and target may be the
     * same bytes of the same region.
     */
    long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt);

    /**
     * Takes up to {@code limit} bytes of the message at the head and forgets them; the whole message if the limit
     * allows it. Returns bytes taken.
     */
    long tryDiscard(long limit);
}

package org.brigade.transport;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/**
 * What comes from one peer by its {@link OutboundLink}: the message at the head of the stream. Nothing here blocks.
 *
 * <p>
 * A message of at most {@link #PACKET_BYTES} bytes is taken whole. The first bytes of a longer one are there when its
 * header is; the others may follow later.
 *
 * <p>
 * One thread at a time may use it (the process's progress lock sees to that).
 */
public interface InboundLink {
    /** Bytes of a message that come together with its header; in shared memory they share a cache line. */
    int PACKET_BYTES = 48;

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

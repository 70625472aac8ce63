package org.brigade.transport;

import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;
import org.brigade.op.Combiner;

/**
 * The receiving end of one peer's {@link OutboundLink}. It shows the message at the head of the stream. No method
 * blocks.
 *
 * <p>
 * A message of at most {@link #PACKET_BYTES} bytes is taken whole. The first bytes of a longer message arrive with its
 * header; the rest may follow later. On the lane of point-to-point messages, those from device memory may follow later
 * altogether, however short they are.
 *
 * <p>
 * One thread at a time may use it (the process's progress lock sees to that).
 */
public interface InboundLink {
    /** Bytes of a message that come together with its header; in shared memory they share a cache line. */
    int PACKET_BYTES = 48;

    /** Whether a message is at the head (one that is partly received stays there until its last byte is taken). */
    boolean poll();

    /** Looks for a message up to so many times, as one who has nothing else to do: true as soon as one is there. */
    default boolean poll(int looks) {
        for (int look = 0; look < looks; look++) {
            if (poll()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Tells which word {@link #poll} looks at while no message is at the head; none if there is one, or if a message
     * shows itself otherwise.
     */
    default void show(AwaitedWord word) {
        word.forget();
    }

    /** Kind of the message at the head; only after {@link #poll} was true, as the others below. */
    int kind();

    /** Key of the message at the head. */
    long key();

    /** Length of the whole message at the head. */
    long bytes();

    /** Bytes of the message at the head that are still to be taken. */
    long remaining();

    /**
     * Whether some of the message has been taken, or a call to take it has begun a transfer that goes on by itself.
     * Then no other receiver may take it.
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
     * @return bytes taken; 0 if none are there yet. Taking the last byte ends the message; for a message of 0 bytes the
     * call itself does
     */
    long tryRecv(Region target, long at);

    /**
     * As {@link #tryRecv}, but {@code target[i] = operand[i] op incoming[i]}. All pieces but the last are multiples of
     * 16 bytes, so the combiner's {@link Combiner#itemBytes} must divide 16. Operand and target may be the same bytes
     * of the same region.
     */
    long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt);

    /**
     * The receiver of the message at the head has failed. After this call nobody writes into its memory, not even the
     * peer. The rest of the message is to be discarded.
     */
    default void abandon() {
        // Only the calls above write there.
    }

    /** Takes up to {@code limit} bytes of the message at the head and throws them away. Returns the bytes taken. */
    long tryDiscard(long limit);
}

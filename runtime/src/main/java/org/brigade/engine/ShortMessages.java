package org.brigade.engine;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/**
 * Short messages between the members of a communicator, as straight-line code sends them. {@link LinkMessages} sends
 * them over the links of this rank, the verifier between the ranks that it runs. Those of two members stay in order.
 * Under the lock.
 */
public interface ShortMessages {
    /** Sends a message to a member. Waits for room at most until the member is in the call, too. */
    void send(int peer, long key, Region source, int bytes, String call);

    /** Receives a message of this length from a member. */
    void receive(int peer, long key, Region target, int bytes, String call);

    /** Receives a message from a member that may have sent less. @return its length */
    int receiveAtMost(int peer, long key, Region target, int most, String call);

    /** Receives a message from a member into {@code target = operand op message}. */
    void fold(int peer, long key, int bytes, Combiner combiner, Region operand, Region target, String call);

    /** What to throw for a block of a rank's own that is longer than the rank expects; the other members hear of it. */
    RuntimeException truncated(String call, long key, long came, long expected);

    /** What to throw for an exception within a call; the other members hear of it if the user's code threw it. */
    RuntimeException failedIn(String call, long key, Throwable thrown);
}

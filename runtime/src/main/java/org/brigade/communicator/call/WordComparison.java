package org.brigade.communicator.call;

import mpi.MPIException;
import org.brigade.engine.LinkMessages;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;

/** Compares words of all members of a communicator, by short messages. Under the lock. */
public final class WordComparison {
    private static final String CALL = "a check of arguments";

    private final LinkMessages messages;
    private final int rank;
    private final int ranks;

    public WordComparison(Progress progress, Membership membership) {
        messages = new LinkMessages(progress, membership);
        rank = membership.rank;
        ranks = membership.members.length;
    }

    /**
     * Sends two words to every member and compares theirs with ours. Returns the first rank whose words differ, -1 if
     * none does. Its words are left in {@code theirs}.
     */
    public int compare(long key, long first, long second, long[] theirs) {
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                messages.tell(peer, key, first, second, CALL);
            }
        }
        int different = -1;
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                messages.hear(peer, key, CALL);
                if (different < 0 && (messages.word(0) != first || messages.word(1) != second)) {
                    different = peer;
                    theirs[0] = messages.word(0);
                    theirs[1] = messages.word(1);
                }
            }
        }
        return different;
    }

    /**
     * Tells every member how many bytes it gets and how many this rank expects from it, and hears the same.
     *
     * @param sends by member: bytes that this rank sends; receives: bytes that it expects
     * @return the first member, or this rank itself, whose expectation does not match; its two numbers are left in
     * {@code theirs}; -1 if all match
     */
    public int compareEach(long key, long[] sends, long[] receives, long[] theirs) {
        for (int peer = 0; peer < ranks; peer++) {
            if (peer != rank) {
                messages.tell(peer, key, sends[peer], receives[peer], CALL);
            }
        }
        int different = -1;
        for (int peer = 0; peer < ranks; peer++) {
            long gets = sends[rank];
            long expects = receives[rank];
            if (peer != rank) {
                messages.hear(peer, key, CALL);
                gets = messages.word(0);
                expects = messages.word(1);
            }
            if (different < 0 && (gets != receives[peer] || expects != sends[peer])) {
                different = peer;
                theirs[0] = gets;
                theirs[1] = expects;
            }
        }
        return different;
    }

    /** A call has failed here: tells the other members. @return what the call must throw */
    MPIException failed(String call, long key, Throwable cause) {
        return messages.failed(call, key, cause);
    }
}

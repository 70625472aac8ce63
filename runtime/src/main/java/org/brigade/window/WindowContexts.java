package org.brigade.window;

import mpi.spi.Communicator;
import org.brigade.engine.Membership;
import org.brigade.matching.CommunicatorMessages;

/**
 * Gives each window of a communicator a context, which separates its messages from all others. A window without
 * messages needs the number only for reports.
 */
public interface WindowContexts {
    /** A new context, at the communicator's rank 0, which tells it to the others. */
    long take();

    /** No rank uses a context any more, and no message was ever sent in it. At rank 0. */
    void giveBack(long context);

    /** A window begins that has no communicator of its own. */
    void begins();

    /** Such a window has ended. */
    void ended();

    /** Makes a window's own communicator. */
    Own communicator(long context, String name);

    /**
     * A window's own communicator.
     *
     * @param membership its members
     * @param messages for the window's messages; of members whose loss is no error by itself
     */
    record Own(Communicator communicator, Membership membership, CommunicatorMessages messages) {
    }
}

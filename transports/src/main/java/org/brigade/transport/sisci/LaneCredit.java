package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.InboxDescriptor.line;

import org.brigade.transport.sisci.adapter.Inbox;

/**
 * What the peer reports of one lane into this rank's inbox: how much of what was sent it has taken. Nothing of it is
 * believed that cannot be.
 */
final class LaneCredit {
    private final Connection connection;
    private final int lane;
    private final Inbox inbox;

    LaneCredit(Connection connection, int lane, Inbox inbox) {
        this.connection = connection;
        this.lane = lane;
        this.inbox = inbox;
    }

    /**
     * One of the counters.
     *
     * @param which its place in the lane's line
     * @param known what it was
     * @param most what was sent
     * @return what it is; {@code known} if that cannot be, and the peer is refused
     */
    long read(int which, long known, long most, String what) {
        long now = inbox.word(line(lane) + which);
        if (now < known || now > most) {
            connection
                .refuse("has freed " + now + " " + what + " of " + most + " on lane " + lane + ", after " + known);
            return known;
        }
        return now;
    }
}

package org.brigade.transport.sisci;

import static org.brigade.transport.sisci.adapter.InboxDescriptor.line;

import org.brigade.transport.sisci.adapter.Inbox;

/**
 * How much the peer has taken of what was sent on one lane. The peer reports it into this rank's inbox. Impossible
 * values are not believed.
 */
final class LaneCredit {
    private final Bridge bridge;
    private final int lane;
    private final Inbox inbox;

    LaneCredit(Bridge bridge, int lane, Inbox inbox) {
        this.bridge = bridge;
        this.lane = lane;
        this.inbox = inbox;
    }

    /**
     * Reads one of the counters.
     *
     * @param which its place in the lane's line
     * @param known its last value
     * @param most how much was sent
     * @return its value; if that is impossible, the peer is refused and the result is {@code known}
     */
    long read(int which, long known, long most, String what) {
        long now = inbox.word(line(lane) + which);
        if (now < known || now > most) {
            bridge
                .refuse("has freed " + known + " " + what + " of " + most + " on lane " + lane + ", now says " + now);
            return known;
        }
        return now;
    }
}

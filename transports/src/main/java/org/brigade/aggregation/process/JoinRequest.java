package org.brigade.aggregation.process;

import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;

/**
 * What a member, or an aggregator for the members below it, says to become part of a group.
 *
 * @param group a number that tells it from all other groups
 * @param place in which order contributions are summed: a member's number, or an aggregator's place among its parent's children
 * @param below members at or below the one that joins
 * @param total members of the group
 * @param here  members that join at the same aggregator; 0 from an aggregator, which cannot know
 */
record JoinRequest(long group, int place, int below, int total, int here) {
    static final int BYTES = 24;

    byte[] encoded() {
        return ByteBuffer.allocate(BYTES).putLong(group).putInt(place).putInt(below).putInt(total).putInt(here).array();
    }

    /** Null if it cannot be one. */
    static JoinRequest decoded(NativeMemory memory, int at, int bytes) {
        if (bytes != BYTES) {
            return null;
        }
        byte[] copy = new byte[BYTES];
        memory.bytes.get(at, copy);
        ByteBuffer from = ByteBuffer.wrap(copy);
        JoinRequest request = new JoinRequest(from.getLong(), from.getInt(), from.getInt(), from.getInt(), from.getInt());
        boolean sound = request.place >= 0 && request.below >= 1 && request.total >= request.below && request.here >= 0 && request.here <= request.total;
        return sound ? request : null;
    }
}

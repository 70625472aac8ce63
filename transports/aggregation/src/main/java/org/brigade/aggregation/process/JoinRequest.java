package org.brigade.aggregation.process;

import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;

/**
 * The request of a member, or of an aggregator for the members below it, to join a group.
 *
 * @param group a number that distinguishes it from all other groups
 * @param place the order of summation: a member's number, or an aggregator's place among its parent's children
 * @param below number of members at or below the joining end
 * @param total members of the group
 * @param here members that join at the same aggregator; 0 from an aggregator, which cannot know
 *
 * <p>
 * {@link FrameChannel#VERSION} precedes it, for carriers without a handshake.
 */
public record JoinRequest(long group, int place, int below, int total, int here) {
    static final int BYTES = 32;

    public byte[] encoded() {
        return ByteBuffer.allocate(BYTES).putInt(FrameChannel.VERSION).putInt(0).putLong(group).putInt(place)
            .putInt(below).putInt(total).putInt(here).array();
    }

    /** The sender's protocol version; 0 if it cannot be told. */
    public static int version(NativeMemory memory, int at, int bytes) {
        return bytes < Integer.BYTES ? 0
            : ByteBuffer.allocate(Integer.BYTES).put(0, memory.bytes, at, Integer.BYTES).getInt();
    }

    /** Null if it is malformed. */
    public static JoinRequest decoded(NativeMemory memory, int at, int bytes) {
        if (bytes != BYTES) {
            return null;
        }
        byte[] copy = new byte[BYTES];
        memory.bytes.get(at, copy);
        ByteBuffer from = ByteBuffer.wrap(copy, 8, BYTES - 8);
        JoinRequest request =
            new JoinRequest(from.getLong(), from.getInt(), from.getInt(), from.getInt(), from.getInt());
        boolean sound = request.place >= 0 && request.below >= 1 && request.total >= request.below && request.here >= 0
            && request.here <= request.total;
        return sound ? request : null;
    }
}

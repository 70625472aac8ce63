package org.brigade.aggregation.process;

import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;

/**
 * What a member, or an aggregator for the members below it, says to become part of a group.
 *
 * @param group a number that tells it from all other groups
 * @param place in which order contributions are summed: a member's number, or an aggregator's place among its parent's
 * children
 * @param below members at or below the one that joins
 * @param total members of the group
 * @param here members that join at the same aggregator; 0 from an aggregator, which cannot know
 *
 * <p>
 * In front of it goes {@link FrameChannel#VERSION}, for carriers that need no handshake.
 */
public record JoinRequest(long group, int place, int below, int total, int here) {
    static final int BYTES = 32;

    public byte[] encoded() {
        return ByteBuffer.allocate(BYTES).putInt(FrameChannel.VERSION).putInt(0).putLong(group).putInt(place)
            .putInt(below).putInt(total).putInt(here).array();
    }

    /** The version that whoever sent it speaks; 0 if that cannot be told. */
    public static int version(NativeMemory memory, int at, int bytes) {
        return bytes < Integer.BYTES ? 0
            : ByteBuffer.allocate(Integer.BYTES).put(0, memory.bytes, at, Integer.BYTES).getInt();
    }

    /** Null if it cannot be one. */
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

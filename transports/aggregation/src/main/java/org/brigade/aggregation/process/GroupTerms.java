package org.brigade.aggregation.process;

import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;

/**
 * What an aggregator grants each member of a complete group.
 *
 * @param slots operations that may be outstanding, a power of two
 * @param payload most bytes of one operation, a multiple of 64
 * @param lossy whether packets may get lost, so that members must repeat unanswered ones
 */
public record GroupTerms(int slots, int payload, boolean lossy) {
    static final int MOST_SLOTS = 1 << 12;
    static final int MOST_PAYLOAD = 1 << 20;
    private static final int BYTES = 12;

    public GroupTerms {
        if (Integer.bitCount(slots) != 1 || slots < 1 || slots > MOST_SLOTS || payload < 64 || payload > MOST_PAYLOAD
            || payload % 64 != 0 || (long) slots * payload > 1 << 28) {
            throw new IllegalArgumentException(
                slots + " slots of " + payload + " bytes: slots must be a power of two up to " + MOST_SLOTS
                    + ", bytes a multiple of 64 up to " + MOST_PAYLOAD
                    + ", and both together 256 MiB at most");
        }
    }

    public byte[] encoded() {
        return ByteBuffer.allocate(BYTES).putInt(slots).putInt(payload).putInt(lossy ? 1 : 0).array();
    }

    /** Null if they are impossible. */
    public static GroupTerms decoded(NativeMemory memory, int at, int bytes) {
        if (bytes != BYTES) {
            return null;
        }
        byte[] copy = new byte[BYTES];
        memory.bytes.get(at, copy);
        ByteBuffer from = ByteBuffer.wrap(copy);
        try {
            return new GroupTerms(from.getInt(), from.getInt(), from.getInt() != 0);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}

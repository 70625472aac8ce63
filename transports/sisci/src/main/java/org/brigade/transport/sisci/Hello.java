package org.brigade.transport.sisci;

import java.nio.ByteBuffer;
import org.brigade.transport.sisci.adapter.InboxDescriptor;

/**
 * The first message between two ranks. Each sends it once to the other, by data interrupt, and says where its inbox for
 * that rank is.
 *
 * <pre>
 *   0        4        8        12       16       20       24               32        big-endian
 *   | magic  | from   | to     | node   | id     | ring   | job            |
 * </pre>
 *
 * @param ringBytes size of the inbox's rings
 * @param job a number that all ranks of a job share, and that another job is unlikely to have
 */
record Hello(int from, int to, int node, int id, int ringBytes, long job) {
    private static final int MAGIC = 0x42534331;
    private static final int BYTES = 32;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(from).putInt(to).putInt(node).putInt(id)
            .putInt(ringBytes).putLong(job).array();
    }

    /** Null if the message is no Hello. Its values may still be impossible ({@link #complaint}). */
    static Hello decode(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message);
        if (message.length != BYTES || in.getInt() != MAGIC) {
            return null;
        }
        return new Hello(in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getLong());
    }

    /** The impossible value, as the rest of a sentence; null if there is none. */
    String complaint() {
        return InboxDescriptor.isRing(ringBytes) ? null
            : "has announced an inbox with rings of " + ringBytes + " bytes, which is not a size of a ring";
    }
}

package org.brigade.transport.sisci;

import java.nio.ByteBuffer;
import org.brigade.transport.sisci.adapter.InboxDescriptor;

/**
 * What one rank tells another by data interrupt, once, each the other: where its inbox for that rank is.
 *
 * <pre>
 *   0        4        8        12       16       20       24               32        big-endian
 *   | magic  | from   | to     | node   | id     | ring   | job            |
 * </pre>
 *
 * @param ringBytes of the inbox
 * @param job a number that the ranks of one job share and those of another hardly
 */
record Hello(int from, int to, int node, int id, int ringBytes, long job) {
    private static final int MAGIC = 0x42534331;
    private static final int BYTES = 32;

    byte[] encode() {
        return ByteBuffer.allocate(BYTES).putInt(MAGIC).putInt(from).putInt(to).putInt(node).putInt(id)
            .putInt(ringBytes).putLong(job).array();
    }

    /** Null if it is none. What it says may still be impossible ({@link #complaint}). */
    static Hello decode(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message);
        if (message.length != BYTES || in.getInt() != MAGIC) {
            return null;
        }
        return new Hello(in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getLong());
    }

    /** What cannot be of it, as the rest of a sentence; null if all can. */
    String complaint() {
        return InboxDescriptor.isRing(ringBytes) ? null
            : "has announced an inbox with rings of " + ringBytes + " bytes, which none has";
    }
}

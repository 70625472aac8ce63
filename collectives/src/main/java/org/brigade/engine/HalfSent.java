package org.brigade.engine;

import org.brigade.memory.Region;
import org.brigade.transport.OutboundLink;

/** The rest of a message whose collective failed while it was being sent. */
final class HalfSent {
    private final OutboundLink link;
    private final int kind;
    private final long key;
    private final Region message;
    private final long bytes;
    private long sent;

    HalfSent(OutboundLink link, int kind, long key, byte[] message, long sent) {
        this.link = link;
        this.kind = kind;
        this.key = key;
        this.message = new Region().wrap(message, 0);
        this.bytes = message.length;
        this.sent = sent;
    }

    /** Sends as much as the link takes now; true if it took anything. */
    boolean push() {
        long now = link.trySend(kind, key, message, 0, bytes, sent);
        if (now > 0) {
            sent += now;
        }
        return now > 0;
    }

    boolean gone() {
        return sent == bytes;
    }
}

package org.brigade.engine;

import java.util.Arrays;
import org.brigade.memory.Region;
import org.brigade.transport.OutboundLink;

/** A message, or the rest of one, that its collective leaves to others to send: it has failed, or must not wait. */
final class HalfSent {
    private final OutboundLink link;
    private final int kind;
    private final long key;
    private final Region message;
    private final long bytes;
    private long sent;
    private boolean gone;

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
        sent += Math.max(0, now);
        gone = now >= 0 && sent == bytes;
        return now > 0 || gone;
    }

    boolean gone() {
        return gone;
    }

    /** Those that have not gone yet; almost always empty. */
    static final class Queue {
        private HalfSent[] messages = {};

        boolean isEmpty() {
            return messages.length == 0;
        }

        /** Adds one, of which nothing is read in the memory of the failed call from now on. */
        void add(HalfSent message) {
            messages = Arrays.copyOf(messages, messages.length + 1);
            messages[messages.length - 1] = message;
            push();
        }

        /** Sends what the links take now; true if they took anything. */
        boolean push() {
            boolean moved = false;
            int kept = 0;
            for (HalfSent message : messages) {
                moved |= message.push();
                if (!message.gone()) {
                    messages[kept++] = message;
                }
            }
            if (kept < messages.length) {
                messages = Arrays.copyOf(messages, kept);
            }
            return moved;
        }
    }
}

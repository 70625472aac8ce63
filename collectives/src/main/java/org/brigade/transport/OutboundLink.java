package org.brigade.transport;

import org.brigade.memory.Region;

/**
 * An ordered, bounded stream of messages from this rank to one peer, or to several. Nothing here blocks: no credit is a
 * return value ({@link #REFUSED}), and messages longer than the stream's capacity go piece by piece. A message is a
 * kind, a key and 0 or more bytes; what they mean is the business of the layer above (a communicator and epoch for
 * collectives, a communicator and tag for point-to-point).
 *
 * <p>
 * One thread at a time may use it (the process's progress lock sees to that).
 */
public interface OutboundLink {
    /** What the calls that cannot go on answer: try again later. */
    long REFUSED = -1;

    /**
     * Sends the next bytes of a message.
     *
     * @param kind 0 to 253; two more are for a link that stands in front of another one
     * @param source where the bytes are
     * @param at position in the source of the message's byte 0
     * @param bytes length of the whole message, the same in every call for it
     * @param sent bytes that earlier calls for this message have accepted; 0 begins a message
     * @return bytes accepted now (the message has gone when the sum reaches {@code bytes}; a message of 0 bytes has
     * gone when 0 is returned), or {@link #REFUSED}: no credit, or another message has begun on this link and not ended
     */
    long trySend(int kind, long key, Region source, long at, long bytes, long sent);

    /** Sends a message of 16 bytes made of two words; false means no credit. */
    boolean trySendWords(int kind, long key, long first, long second);
}

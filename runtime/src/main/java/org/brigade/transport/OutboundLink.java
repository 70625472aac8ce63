package org.brigade.transport;

import org.brigade.memory.Region;

/**
 * An ordered, bounded stream of messages from this rank to one or several peers. No method blocks: without credit it
 * returns {@link #REFUSED}. Messages longer than the stream's capacity go piece by piece. A message has a kind, a key
 * and 0 or more bytes. The layer above gives them meaning: for collectives the key is a communicator and an epoch, for
 * point-to-point a communicator and a tag. A message of at most {@link InboundLink#PACKET_BYTES} bytes is accepted
 * whole, but for those from device memory on the lane of point-to-point messages.
 *
 * <p>
 * One thread at a time may use it (the process's progress lock sees to that).
 */
public interface OutboundLink {
    /** Returned by a call that cannot go on now: try again later. */
    long REFUSED = -1;

    /**
     * Sends the next bytes of a message.
     *
     * @param kind 0 to 253; 254 and 255 are for links that stand in front of another link
     * @param source the region that holds the bytes
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

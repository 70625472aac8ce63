package org.brigade.matching;

import java.nio.ByteBuffer;
import mpi.spi.SendMode;

/**
 * Messages of the library's own between the members of a communicator, for code that holds the progress lock: it sends
 * without waiting, and receives from any member, one message at a time, in the order of arrival. Except for
 * {@link #close}, under the progress lock.
 */
public final class Mailbox {
    private final CommunicatorMessages messages;
    private final ByteBuffer room;
    private final RecvOperation receive;
    private boolean posted;

    /** @param room where messages arrive; as long as the longest */
    public Mailbox(CommunicatorMessages messages, ByteBuffer room) {
        this.messages = messages;
        this.room = room;
        this.receive = new RecvOperation(messages.posted());
    }

    /** Sends a message, which the caller no longer changes. */
    public void send(int destination, ByteBuffer message) {
        messages.send(null, message, 0, message.capacity(), 0, destination, 0, SendMode.STANDARD);
    }

    /**
     * Whether a message lies in the buffer. Stays so until {@link #next}. If a member is lost, the others may still
     * send; if the sender is lost in the middle of a message, the receive is posted again.
     */
    public boolean hasMessage() {
        if (!posted || receive.done && receive.failure != null) {
            posted = true;
            receive.ignoresLosses = true;
            messages.receive(receive, room, 0, room.capacity(), RecvOperation.ANY, RecvOperation.ANY, "Win");
        }
        return receive.done && receive.failure == null;
    }

    /** The sender of the message. */
    public int source() {
        return receive.source();
    }

    /** The message has been read: from now on the next one may lie in the buffer. */
    public void next() {
        posted = false;
    }

    /** Receives no more. No message is under way. */
    public void close() {
        if (posted) {
            receive.cancel();
        }
    }
}

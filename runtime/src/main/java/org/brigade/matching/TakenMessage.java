package org.brigade.matching;

import mpi.spi.MatchedMessage;
import mpi.spi.Operation;
import mpi.spi.TypeLayout;

/** A message that a matched probe has taken out of the queue of unexpected messages. */
final class TakenMessage implements MatchedMessage {
    private final CommunicatorMessages messages;
    private final Unexpected message;

    TakenMessage(CommunicatorMessages messages, Unexpected message) {
        this.messages = messages;
        this.message = message;
    }

    @Override
    public Operation irecv(Object buffer, long offset, int count, TypeLayout type, String call) {
        return messages.receive(message, buffer, offset, (long) count * type.extent, call);
    }
}

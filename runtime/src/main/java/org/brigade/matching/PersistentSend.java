package org.brigade.matching;

import mpi.spi.SendMode;

/** A send that is started again and again. */
final class PersistentSend extends PersistentMessage {
    private final SendMode mode;
    private final int unit;
    private SendOperation spare;

    PersistentSend(CommunicatorMessages messages, Object buffer, long offset, long bytes, int unit, int destination,
        int tag, SendMode mode) {
        super(messages, buffer, offset, bytes, destination, tag);
        this.mode = mode;
        this.unit = unit;
    }

    @Override
    MessageOperation begin() {
        // A failed one must not be reused: a grant may still come for it.
        SendOperation reused = spare == null || spare.hasFailed() ? null : spare;
        spare = messages.send(reused, buffer, offset, bytes, unit, peer, tag, mode);
        return spare;
    }
}

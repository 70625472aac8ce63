package org.brigade.matching;

/** A receive that is started again and again. */
final class PersistentRecv extends PersistentMessage {
    private final String call;
    private RecvOperation spare;

    PersistentRecv(CommunicatorMessages messages, Object buffer, long offset, long bytes, int source, int tag,
        String call) {
        super(messages, buffer, offset, bytes, source, tag);
        this.call = call;
    }

    @Override
    MessageOperation begin() {
        spare = messages.receive(spare, buffer, offset, bytes, peer, tag, call);
        return spare;
    }
}

package org.brigade.transport.sisci;

import org.brigade.memory.Region;
import org.brigade.transport.FrontLink;

/**
 * One lane of a connection. From a lost peer, only messages that came before can still be received, and nothing is
 * accepted for it. The end says why it is lost.
 */
final class SisciLink extends FrontLink {
    private final Connection connection;
    private final int lane;
    /** Null until the connection is open. */
    private SisciLaneReceiver in;

    SisciLink(Connection connection, int lane) {
        this.connection = connection;
        this.lane = lane;
    }

    @Override
    public int peer() {
        return connection.peer;
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        return connection.trySend(lane, kind, key, source, at, bytes, sent);
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        return connection.trySendWords(lane, kind, key, first, second);
    }

    @Override
    public boolean poll() {
        in = connection.receiver(lane);
        return in != null && in.poll();
    }

    @Override
    protected SisciLaneReceiver in() {
        return in;
    }
}

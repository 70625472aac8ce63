package org.brigade.transport.sisci;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.Link;

/**
 * One lane of a connection. Of a peer that is lost nothing more comes than what came before, and nothing is accepted;
 * the end says why.
 */
final class SisciLink implements Link {
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
    public int kind() {
        return in.kind();
    }

    @Override
    public long key() {
        return in.key();
    }

    @Override
    public long bytes() {
        return in.bytes();
    }

    @Override
    public long remaining() {
        return in.remaining();
    }

    @Override
    public boolean isTaken() {
        return in.isTaken();
    }

    @Override
    public long word(int index) {
        return in.word(index);
    }

    @Override
    public long tryRecv(Region target, long at) {
        return in.tryRecv(target, at);
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        return in.tryRecvReduce(combiner, operand, operandAt, target, targetAt);
    }

    @Override
    public long tryDiscard(long limit) {
        return in.tryDiscard(limit);
    }
}

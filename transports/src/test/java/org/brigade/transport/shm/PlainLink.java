package org.brigade.transport.shm;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.Link;

/**
 * Two channels of shared memory that know nothing of devices and of what else ranks of one node can do for each other:
 * they stand for a link between nodes.
 */
final class PlainLink implements Link {
    private final int peer;
    private final ChannelSender out;
    private final ChannelReceiver in;

    PlainLink(int peer, ChannelSender out, ChannelReceiver in) {
        this.peer = peer;
        this.out = out;
        this.in = in;
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        return out.trySend(kind, key, source, at, bytes, sent);
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        return out.trySendWords(kind, key, first, second);
    }

    @Override
    public boolean poll() {
        return in.poll();
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

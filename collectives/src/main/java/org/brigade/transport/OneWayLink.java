package org.brigade.transport;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/**
 * A link that is used in one direction only, as those of a {@link Multicast}: what its subclass does not say is a
 * mistake of the caller.
 */
public abstract class OneWayLink implements Link {
    private final int peer;

    /** @param peer as rank of the job; -1: several */
    protected OneWayLink(int peer) {
        this.peer = peer;
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        throw otherWay();
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        throw otherWay();
    }

    @Override
    public boolean poll() {
        return false;
    }

    @Override
    public int kind() {
        throw otherWay();
    }

    @Override
    public long key() {
        throw otherWay();
    }

    @Override
    public long bytes() {
        throw otherWay();
    }

    @Override
    public long remaining() {
        throw otherWay();
    }

    @Override
    public long word(int index) {
        throw otherWay();
    }

    @Override
    public long tryRecv(Region target, long at) {
        throw otherWay();
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        throw otherWay();
    }

    @Override
    public long tryDiscard(long limit) {
        throw otherWay();
    }

    private static IllegalStateException otherWay() {
        return new IllegalStateException("this link is used in the other direction");
    }
}

package org.brigade.transport;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;

/**
 * A link in front of another receiver. Every receiving method that a subclass does not override goes to that receiver.
 */
public abstract class FrontLink implements Link {
    /** The receiver that has the message at the head; asked again at each call. */
    protected abstract InboundLink in();

    @Override
    public boolean poll() {
        return in().poll();
    }

    @Override
    public int kind() {
        return in().kind();
    }

    @Override
    public long key() {
        return in().key();
    }

    @Override
    public long bytes() {
        return in().bytes();
    }

    @Override
    public long remaining() {
        return in().remaining();
    }

    @Override
    public boolean isTaken() {
        return in().isTaken();
    }

    @Override
    public long word(int index) {
        return in().word(index);
    }

    @Override
    public long tryRecv(Region target, long at) {
        return in().tryRecv(target, at);
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        return in().tryRecvReduce(combiner, operand, operandAt, target, targetAt);
    }

    @Override
    public void abandon() {
        in().abandon();
    }

    @Override
    public long tryDiscard(long limit) {
        return in().tryDiscard(limit);
    }
}

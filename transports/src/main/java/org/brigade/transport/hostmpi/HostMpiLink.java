package org.brigade.transport.hostmpi;

import org.brigade.memory.Region;
import org.brigade.op.Combiner;
import org.brigade.transport.FrontLink;
import org.brigade.transport.hostmpi.library.HostMpiException;

/**
 * One lane to one peer. All of it under one lock, as the host's MPI is called by one thread at a time. Of a peer that
 * is lost nothing more comes than what came before, and nothing is accepted.
 */
final class HostMpiLink extends FrontLink {
    private final HostMpiEnd end;
    private final int peer;
    private final int lane;
    /** Null until something goes or comes. */
    private LaneSender out;
    private LaneReceiver in;

    HostMpiLink(HostMpiEnd end, int peer, int lane) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
    }

    LaneSender out() {
        if (out == null) {
            end.meet(peer);
            out = new LaneSender(end, peer, lane, end.window(lane));
        }
        return out;
    }

    @Override
    protected LaneReceiver in() {
        if (in == null) {
            end.meet(peer);
            in = new LaneReceiver(end, peer, lane, end.window(lane));
        }
        return in;
    }

    /** Whether all that was accepted has left. */
    boolean drained() {
        return out == null || out.drained();
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        synchronized (HostMpiEnd.LOCK) {
            if (!end.isUsable(peer)) {
                return REFUSED;
            }
            try {
                long now = out().trySend(kind, key, source, at, bytes, sent);
                if (now == REFUSED) {
                    end.look(this, lane);
                }
                return now;
            } catch (HostMpiException e) {
                end.failed(peer, e);
                return REFUSED;
            }
        }
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        synchronized (HostMpiEnd.LOCK) {
            if (!end.isUsable(peer)) {
                return false;
            }
            try {
                boolean gone = out().trySendWords(kind, key, first, second);
                if (!gone) {
                    end.look(this, lane);
                }
                return gone;
            } catch (HostMpiException e) {
                end.failed(peer, e);
                return false;
            }
        }
    }

    @Override
    public boolean poll() {
        synchronized (HostMpiEnd.LOCK) {
            if (in != null && in.poll()) {
                return true;
            }
            end.look(this, lane);
            return in != null && in.poll();
        }
    }

    @Override
    public long tryRecv(Region target, long at) {
        synchronized (HostMpiEnd.LOCK) {
            feed();
            return in.tryRecv(target, at);
        }
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        synchronized (HostMpiEnd.LOCK) {
            feed();
            return in.tryRecvReduce(combiner, operand, operandAt, target, targetAt);
        }
    }

    @Override
    public long tryDiscard(long limit) {
        synchronized (HostMpiEnd.LOCK) {
            feed();
            return in.tryDiscard(limit);
        }
    }

    private void feed() {
        if (!in.isFed()) {
            end.look(this, lane);
        }
    }
}

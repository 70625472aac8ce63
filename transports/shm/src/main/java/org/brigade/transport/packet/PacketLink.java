package org.brigade.transport.packet;

import org.brigade.memory.Region;
import org.brigade.transport.FrontLink;

/**
 * One lane to one peer, all under one lock, because only one thread at a time calls a carrier. From a lost peer, only
 * messages that came before can still be received, and nothing is accepted for it.
 */
final class PacketLink extends FrontLink {
    private final PacketEnd end;
    private final int peer;
    private final int lane;
    private final LaneReceiver in;
    private final LaneSender out;

    PacketLink(PacketEnd end, int peer, int lane) {
        this.end = end;
        this.peer = peer;
        this.lane = lane;
        in = new LaneReceiver(end, peer, lane, end.window(lane));
        out = new LaneSender(end, peer, lane, end.window(lane), in);
    }

    LaneSender out() {
        return out;
    }

    @Override
    protected LaneReceiver in() {
        return in;
    }

    /** Whether everything accepted has left. */
    boolean drained() {
        return out.drained();
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long sent) {
        synchronized (end.lock) {
            if (!end.peers.isUsable(peer)) {
                return REFUSED;
            }
            try {
                end.peers.meet(peer);
                long now = out.trySend(kind, key, source, at, bytes, sent);
                if (now == REFUSED) {
                    end.look(in, lane);
                }
                return now;
            } catch (CarrierException e) {
                end.peers.failed(peer, e);
                return REFUSED;
            }
        }
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        synchronized (end.lock) {
            return trySend(kind, key, end.packets.words(first, second), 0, 2 * Long.BYTES, 0) != REFUSED;
        }
    }
}

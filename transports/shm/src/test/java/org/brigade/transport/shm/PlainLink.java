package org.brigade.transport.shm;

import org.brigade.memory.Region;
import org.brigade.transport.FrontLink;

/**
 * Two channels of shared memory that know nothing of devices and of what else ranks of one node can do for each other:
 * they stand for a link between nodes.
 */
final class PlainLink extends FrontLink {
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
    protected ChannelReceiver in() {
        return in;
    }
}

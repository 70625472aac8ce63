package org.brigade.transport.nodes;

import org.brigade.memory.Region;
import org.brigade.nativ.AwaitedWord;
import org.brigade.op.Combiner;
import org.brigade.transport.FrontLink;
import org.brigade.transport.InboundLink;
import org.brigade.transport.Link;

/**
 * Counts the messages that have been sent whole and received whole. A leaving peer reports its count in a notice, which
 * may overtake its messages.
 */
final class CountedLink extends FrontLink {
    private final Link link;
    // Written and read under the progress lock.
    private long sent;
    private long received;

    CountedLink(Link link) {
        this.link = link;
    }

    long sent() {
        return sent;
    }

    long received() {
        return received;
    }

    @Override
    public int peer() {
        return link.peer();
    }

    @Override
    public long trySend(int kind, long key, Region source, long at, long bytes, long before) {
        long now = link.trySend(kind, key, source, at, bytes, before);
        if (now >= 0 && before + now == bytes) {
            sent++;
        }
        return now;
    }

    @Override
    public boolean trySendWords(int kind, long key, long first, long second) {
        boolean gone = link.trySendWords(kind, key, first, second);
        if (gone) {
            sent++;
        }
        return gone;
    }

    @Override
    public void show(AwaitedWord word) {
        link.show(word);
    }

    @Override
    protected InboundLink in() {
        return link;
    }

    @Override
    public long tryRecv(Region target, long at) {
        long left = link.remaining();
        return taken(left, link.tryRecv(target, at));
    }

    @Override
    public long tryRecvReduce(Combiner combiner, Region operand, long operandAt, Region target, long targetAt) {
        long left = link.remaining();
        return taken(left, link.tryRecvReduce(combiner, operand, operandAt, target, targetAt));
    }

    @Override
    public long tryDiscard(long limit) {
        long left = link.remaining();
        return taken(left, link.tryDiscard(limit));
    }

    private long taken(long left, long now) {
        if (now == left) {
            received++;
        }
        return now;
    }
}

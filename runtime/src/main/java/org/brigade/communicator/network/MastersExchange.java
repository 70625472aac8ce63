package org.brigade.communicator.network;

import org.brigade.aggregation.OutOfBand;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.CursorPool;
import org.brigade.engine.Backoff;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.pattern.CommunicatorTopology;

/**
 * Exchanges short messages between the masters of a communicator's nodes over the ordinary links. Under the progress
 * lock, which is released during waits.
 */
final class MastersExchange implements OutOfBand {
    private final Progress progress;
    private final Membership membership;
    private final Membership masters;
    private final long key;
    private final Agreement between;
    private Backoff idle;

    /**
     * @param membership all members of the communicator
     * @param number this master's index among the masters
     * @param which the masters' ranks in the communicator
     * @param key of the messages
     */
    MastersExchange(Progress progress, Membership membership, CombinerCache combiners, String communicator, int number,
        int[] which, long key) {
        this.progress = progress;
        this.membership = membership;
        this.key = key;
        int[] members = new int[which.length];
        for (int i = 0; i < members.length; i++) {
            members[i] = membership.members[which[i]];
        }
        masters = new Membership(number, members, communicator, membership.returnsErrors());
        between = new Agreement(masters, new FlatCollectives(progress, masters),
            new CursorPool(progress, masters), combiners, CommunicatorTopology.NONE);
    }

    @Override
    public int rank() {
        return masters.rank;
    }

    @Override
    public int size() {
        return masters.members.length;
    }

    @Override
    public byte[][] allgather(byte[] own) {
        return between.all(key, own);
    }

    @Override
    public void pause() {
        idle = progress.turn(idle, "Allreduce", key, membership);
    }

    /** Called when the exchange is over. */
    void end() {
        progress.release(idle);
        idle = null;
    }
}

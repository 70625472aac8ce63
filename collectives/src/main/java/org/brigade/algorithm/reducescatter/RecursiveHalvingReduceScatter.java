package org.brigade.algorithm.reducescatter;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.pattern.RecursiveExchange;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Recursive halving reduce-scatter: in each round, the ranks of two halves exchange the partial sums of each other's
 * blocks, which halves the remaining work.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section
 * 4.1: {@code T = log2(n) ts + ((n - 1)/n)(M/B + M c)} for M bytes of input. Rounds: log2 n, two more unless n is a
 * power of two. Bytes: ((n - 1)/n) M a rank; M more for ranks that are folded away. Restrictions: commutative (far
 * ranks exchange first, so that blocks stay side by side).
 */
public final class RecursiveHalvingReduceScatter extends CollectiveAlgorithm {
    public RecursiveHalvingReduceScatter() {
        super(Collective.REDUCE_SCATTER, "recursive-halving", Restrictions.COMMUTATIVE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        double fold = Integer.bitCount(call.ranks()) == 1 ? 0 : model.message(call.bytes());
        return CostModel.rounds(call.ranks(), 2) * model.start()
            + model.transferFar((double) call.others() / call.ranks() * call.bytes()) + fold;
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int rank = geometry.rank();
        RecursiveExchange pattern = new RecursiveExchange(ranks);
        int partner = pattern.partner(rank);
        if (ranks == 1) {
            schedule.copy(recv(schedule, 0), send(schedule, 0));
            return;
        }
        if (pattern.folded(rank)) {
            schedule.send(partner, schedule.send(Index.of(0), ranks));
            schedule.receive(partner, recv(schedule, 0));
            return;
        }
        boolean summed = pattern.paired(rank);
        if (summed) {
            schedule.receiveReduce(partner, schedule.scratch(0, Index.of(0), ranks), schedule.send(Index.of(0), ranks),
                partner < rank);
        }

        int number = pattern.number(rank);
        for (int bit = pattern.rounds() - 1; bit >= 0; bit--) {
            int peer = pattern.peer(rank, bit);
            int half = 1 << bit;
            int mine = number & -half;
            int other = mine ^ half;
            if (bit > 0) {
                int first = pattern.first(other);
                schedule.send(peer, partial(schedule, summed, first, pattern.first(other + half) - first));
                first = pattern.first(mine);
                int length = pattern.first(mine + half) - first;
                schedule.receiveReduce(peer, schedule.scratch(0, Index.of(first), length),
                    partial(schedule, summed, first, length), peer < rank);
            } else {
                lastRound(schedule, pattern, rank, peer, summed);
            }
            summed = true;
        }
        if (pattern.paired(rank)) {
            schedule.send(partner, scratch(schedule, 0, partner));
        }
    }

    /** One message a block, so that the sum of the own block ends in RECV. */
    private static void lastRound(ScheduleBuilder schedule, RecursiveExchange pattern, int rank, int peer,
        boolean summed) {
        int other = pattern.number(peer);
        for (int block = pattern.first(other); block < pattern.first(other + 1); block++) {
            schedule.send(peer, partial(schedule, summed, block, 1));
        }
        int mine = pattern.number(rank);
        for (int block = pattern.first(mine); block < pattern.first(mine + 1); block++) {
            Slice target = block == rank ? recv(schedule, 0) : scratch(schedule, 0, block);
            schedule.receiveReduce(peer, target, partial(schedule, summed, block, 1), peer < rank);
        }
    }

    private static Slice partial(ScheduleBuilder schedule, boolean summed, int first, int length) {
        return summed ? schedule.scratch(0, Index.of(first), length) : schedule.send(Index.of(first), length);
    }
}

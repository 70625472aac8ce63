package org.brigade.algorithm.reduce;

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
 * Rabenseifner's reduce: recursive halving leaves each rank one reduced block, a binomial tree gathers the blocks at
 * the root.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section
 * 4.4: {@code T = 2 log2(n) ts + 2 ((n - 1)/n) M/B + ((n - 1)/n) M c}. Rounds: 2 log2 n, one more unless n is a power
 * of two. Bytes: at most 2 ((n - 1)/n) M a rank, M more where ranks are folded away. Restrictions: none: neighbours
 * halve first, so terms grow in rank order; the root is never folded away.
 */
public final class RabenseifnerReduce extends CollectiveAlgorithm {
    public RabenseifnerReduce() {
        super(Collective.REDUCE, "rabenseifner", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        double core = 1 << CostModel.floorLog(call.ranks());
        double fold = core == call.ranks() ? 0 : model.message(call.bytes());
        return 2 * CostModel.floorLog(call.ranks()) * model.start()
            + 2 * (core - 1) / core * model.transfer(call.bytes()) + fold;
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int rank = geometry.rank();
        RecursiveExchange pattern = new RecursiveExchange(geometry.ranks(), geometry.root());
        int blocks = pattern.core();
        schedule.split(blocks);
        if (geometry.ranks() == 1) {
            schedule.copy(recv(schedule, 0), send(schedule, 0));
            return;
        }
        int partner = pattern.partner(rank);
        if (pattern.folded(rank)) {
            schedule.send(partner, schedule.send(Index.of(0), blocks));
            return;
        }
        boolean summed = pattern.paired(rank);
        if (summed) {
            schedule.receiveReduce(partner, sum(geometry, schedule, 0, blocks), schedule.send(Index.of(0), blocks),
                partner < rank);
        }

        int first = 0;
        int length = blocks;
        int number = pattern.number(rank);
        for (int bit = 0; bit < pattern.rounds(); bit++) {
            int peer = pattern.peer(rank, bit);
            length /= 2;
            boolean upper = (number >> bit & 1) == 1;
            int other = upper ? first : first + length;
            first = upper ? first + length : first;
            schedule.send(peer,
                summed ? sum(geometry, schedule, other, length) : schedule.send(Index.of(other), length));
            Slice target = sum(geometry, schedule, first, length);
            schedule.receiveReduce(peer, target, summed ? target : schedule.send(Index.of(first), length), peer < rank);
            summed = true;
        }
        int rootNumber = pattern.number(geometry.root());
        for (int bit = pattern.rounds() - 1; bit >= 0; bit--) {
            int peer = pattern.peer(rank, bit);
            if ((number >> bit & 1) != (rootNumber >> bit & 1)) {
                schedule.send(peer, sum(geometry, schedule, first, length));
                return;
            }
            int other = (number >> bit & 1) == 1 ? first - length : first + length;
            schedule.receive(peer, sum(geometry, schedule, other, length));
            first = Math.min(first, other);
            length *= 2;
        }
    }

    /** Where a rank keeps its sum: only the root has a RECV. */
    private static Slice sum(Geometry geometry, ScheduleBuilder schedule, int first, int length) {
        Index index = Index.of(first);
        return geometry.rank() == geometry.root() ? schedule.recv(index, length) : schedule.scratch(0, index, length);
    }
}

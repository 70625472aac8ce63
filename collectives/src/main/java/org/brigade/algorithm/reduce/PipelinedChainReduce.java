package org.brigade.algorithm.reduce;

import mpi.spi.Collective;
import org.brigade.algorithm.ChainAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Chain;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Pipelined chain reduce: chunks travel along a chain towards the root, and every rank on the way adds its own. The
 * chain follows the order of the wires and ends at the root. For operations that do not commute there are two chains in
 * rank order instead, one from either end of the ranks.
 *
 * <p>
 * Source: the pipelined chain broadcast of Xin, Xie, Li, "Large message broadcast design for distributed machine
 * learning" (2020), equation (5), run backwards: {@code T = (M/C + n - 2)(ts + C/B + C c)}. Rounds: chunks + n - 2.
 * Bytes: every rank but the root sends M; the root receives M, but 2 M in rank order if it is in the middle.
 * Restrictions: none. The cost is that of a root at an end: a call does not say its root. In the middle short vectors
 * take half of it, long ones twice.
 */
public final class PipelinedChainReduce extends ChainAlgorithm {
    public PipelinedChainReduce() {
        super(Collective.REDUCE, "pipelined-chain", WireUse.ORDER);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        schedule.windows(() -> {
            if (geometry.commutes()) {
                along(geometry, schedule);
            } else {
                fromBothEnds(geometry, schedule);
            }
        });
    }

    /** Data travel in the direction of the order, in which a profile has measured its hops. */
    private static void along(Geometry geometry, ScheduleBuilder schedule) {
        int rank = geometry.rank();
        Chain ring = new Chain(geometry.order(), geometry.root());
        int before = ring.at(ring.position(rank) - 1);
        int after = ring.at(ring.position(rank) + 1);
        Slice own = send(schedule, 0);
        if (geometry.ranks() == 1) {
            schedule.copy(recv(schedule, 0), own);
        } else if (rank == geometry.root()) {
            schedule.receiveReduce(before, recv(schedule, 0), own, true);
        } else if (before == geometry.root()) {
            schedule.send(after, own);
        } else {
            Slice sum = scratch(schedule, 0, 0);
            schedule.receiveReduce(before, sum, own, true);
            schedule.send(after, sum);
        }
    }

    private static void fromBothEnds(Geometry geometry, ScheduleBuilder schedule) {
        int last = geometry.ranks() - 1;
        int rank = geometry.rank();
        int root = geometry.root();
        Slice own = send(schedule, 0);
        if (rank == root) {
            Slice result = recv(schedule, 0);
            Slice current = own;
            if (rank > 0) {
                schedule.receiveReduce(rank - 1, result, current, true);
                current = result;
            }
            if (rank < last) {
                schedule.receiveReduce(rank + 1, result, current, false);
                current = result;
            }
            if (current == own) {
                schedule.copy(result, own);
            }
            return;
        }
        int towards = rank < root ? rank + 1 : rank - 1;
        if (rank == 0 || rank == last) {
            schedule.send(towards, own);
        } else {
            Slice sum = scratch(schedule, 0, 0);
            schedule.receiveReduce(rank < root ? rank - 1 : rank + 1, sum, own, rank < root);
            schedule.send(towards, sum);
        }
    }
}

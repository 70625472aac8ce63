package org.brigade.algorithm.reduce;

import mpi.spi.Collective;
import org.brigade.algorithm.ChainAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Pipelined chain reduce: from both ends of the ranks, chunks travel towards the root and every rank on the way adds
 * its own.
 *
 * <p>
 * Source: the pipelined chain broadcast of Xin, Xie, Li, "Large message broadcast design for distributed machine
 * learning" (2020), equation (5), run backwards: {@code T = (M/C + n - 2)(ts + C/B + C c)}. Rounds: chunks + n - 2.
 * Bytes: every rank but the root sends M; a root in the middle receives 2 M, a root at either end M. Restrictions:
 * none: both chains keep rank order, whatever the wires; {@link HierarchicalReduce} follows the wires. The cost is that
 * of a root at an end: a call does not say its root. In the middle short vectors take half of it, long ones twice.
 */
public final class PipelinedChainReduce extends ChainAlgorithm {
    public PipelinedChainReduce() {
        super(Collective.REDUCE, "pipelined-chain", WireUse.NONE);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        schedule.windows(() -> chunk(geometry, schedule));
    }

    private static void chunk(Geometry geometry, ScheduleBuilder schedule) {
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

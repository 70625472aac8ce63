package org.brigade.algorithm.scan;

import mpi.spi.Collective;
import org.brigade.algorithm.ChainAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Pipelined chain scan: every rank puts the sum of the ranks before it before its own and passes it on, chunk by chunk.
 *
 * <p>
 * Source: the pipelined chain broadcast of Xin, Xie, Li, "Large message broadcast design for distributed machine
 * learning" (2020), equation (5), with a sum in each hop: {@code T = (M/C + n - 2)(ts + C/B + C c)}. Rounds: chunks + n
 * - 2. Bytes: every rank but the last sends M, the least possible. Restrictions: none: rank order is kept.
 */
public final class PipelinedChainScan extends ChainAlgorithm {
    /** @param collective SCAN or EXSCAN */
    public PipelinedChainScan(Collective collective) {
        super(collective, "pipelined-chain", WireUse.NONE);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        schedule.windows(() -> {
            if (collective() == Collective.SCAN) {
                scan(geometry, schedule);
            } else {
                exscan(geometry, schedule);
            }
        });
    }

    private static void scan(Geometry geometry, ScheduleBuilder schedule) {
        int rank = geometry.rank();
        Slice own = send(schedule, 0);
        Slice result = recv(schedule, 0);
        if (rank == 0) {
            schedule.copy(result, own);
        } else {
            schedule.receiveReduce(rank - 1, result, own, true);
        }
        if (rank + 1 < geometry.ranks()) {
            schedule.send(rank + 1, rank == 0 ? own : result);
        }
    }

    private static void exscan(Geometry geometry, ScheduleBuilder schedule) {
        int rank = geometry.rank();
        boolean last = rank + 1 == geometry.ranks();
        Slice own = send(schedule, 0);
        if (rank > 0) {
            Slice before = recv(schedule, 0);
            schedule.receive(rank - 1, before);
            if (!last) {
                Slice sum = scratch(schedule, 0, 0);
                schedule.copy(sum, before);
                schedule.reduce(sum, own, false);
                schedule.send(rank + 1, sum);
            }
        } else if (!last) {
            schedule.send(1, own);
        }
    }
}

package org.brigade.algorithm.scan;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Recursive doubling scan: in round k every rank sends its sum of up to 2^k ranks to the rank 2^k further on, which
 * puts it before its own.
 *
 * <p>
 * Source: Hillis, Steele, "Data parallel algorithms", 1986. {@code T = ceil(log2 n)(ts + M/B + M c)}. Rounds: ceil(log2
 * n), for exscan 1 + ceil(log2 (n - 1)): it first moves every vector one rank on and then scans over ranks 1 to n - 1.
 * Bytes: M a rank and round. Restrictions: none: rank order is kept.
 *
 * <p>
 * A rank must not overwrite in a round what it sends in that round, so sums alternate between RECV and SCRATCH such
 * that the last is in RECV.
 */
public final class RecursiveDoublingScan extends CollectiveAlgorithm {
    /** @param collective SCAN or EXSCAN */
    public RecursiveDoublingScan(Collective collective) {
        super(collective, "recursive-doubling", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        int rounds = collective() == Collective.SCAN ? CostModel.rounds(call.ranks(), 2)
            : 1 + CostModel.rounds(call.others(), 2);
        return rounds * model.message(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        Slice own = send(schedule, 0);
        if (collective() == Collective.SCAN) {
            scan(geometry, schedule, 0, own);
            return;
        }
        int rank = geometry.rank();
        if (rank + 1 < geometry.ranks()) {
            schedule.send(rank + 1, own);
        }
        if (rank > 0) {
            Slice shifted = additions(rank - 1) % 2 == 0 ? recv(schedule, 0) : scratch(schedule, 0, 0);
            schedule.receive(rank - 1, shifted);
            scan(geometry, schedule, 1, shifted);
        }
    }

    /** Scans over the ranks from {@code origin} on, whose values are in {@code value}. */
    private static void scan(Geometry geometry, ScheduleBuilder schedule, int origin, Slice value) {
        int rank = geometry.rank();
        Slice result = recv(schedule, 0);
        Slice current = value;
        int left = additions(rank - origin);
        for (int distance = 1; distance < geometry.ranks() - origin; distance *= 2) {
            if (rank + distance < geometry.ranks()) {
                schedule.send(rank + distance, current);
            }
            if (rank - distance >= origin) {
                left--;
                Slice target = left % 2 == 0 ? result : scratch(schedule, 0, 0);
                schedule.receiveReduce(rank - distance, target, current, true);
                current = target;
            }
        }
        schedule.copy(result, current);
    }

    /** How many rounds have something to add for a rank that has {@code before} ranks before it. */
    private static int additions(int before) {
        return 32 - Integer.numberOfLeadingZeros(before);
    }
}

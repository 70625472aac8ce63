package org.brigade.algorithm.reduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Direct reduce: every rank sends to the root, which adds the vectors to its own: first those of the ranks below it,
 * the nearest first, then those above.
 *
 * <p>
 * Rounds: 1 for the others, n - 1 for the root. Bytes: every rank but the root sends M. Restrictions: none.
 */
public final class DirectReduce extends CollectiveAlgorithm {
    public DirectReduce() {
        super(Collective.REDUCE, "direct", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return model.collected(1, call.others(), call.bytes(), 0);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int root = geometry.root();
        Slice own = send(schedule, 0);
        if (geometry.rank() != root) {
            schedule.send(root, own);
            return;
        }
        Slice result = recv(schedule, 0);
        Slice current = own;
        for (int lower = root - 1; lower >= 0; lower--) {
            schedule.receiveReduce(lower, result, current, true);
            current = result;
        }
        for (int upper = root + 1; upper < geometry.ranks(); upper++) {
            schedule.receiveReduce(upper, result, current, false);
            current = result;
        }
        if (current == own) {
            schedule.copy(result, own);
        }
    }
}

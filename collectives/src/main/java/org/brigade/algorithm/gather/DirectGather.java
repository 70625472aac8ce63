package org.brigade.algorithm.gather;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Direct gather: every rank sends its block straight to the root.
 *
 * <p>
 * {@code T = (n - 1)(ts + m/B)} for blocks of m bytes. Rounds: 1 for the others, n - 1 for the root. Bytes: the root
 * receives (n - 1) m, the least possible, and nothing is copied on the way. Restrictions: none. Serves gather and
 * gatherv.
 */
public final class DirectGather extends CollectiveAlgorithm {
    public DirectGather(Collective collective) {
        super(collective, "direct", Restrictions.NONE);
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return call.others() * model.message(call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        int root = geometry.root();
        if (geometry.rank() != root) {
            schedule.send(root, send(schedule, 0));
            return;
        }
        schedule.copy(recv(schedule, root), send(schedule, 0));
        schedule.rounds(ranks - 1, round -> {
            Index peer = round.plus(root + 1).mod(ranks);
            schedule.receive(peer, schedule.recv(peer, 1));
        });
    }
}

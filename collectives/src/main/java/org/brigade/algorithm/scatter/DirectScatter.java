package org.brigade.algorithm.scatter;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Direct scatter: the root sends every rank its block.
 *
 * <p>
 * {@code T = (n - 1)(ts + m/B)} for blocks of m bytes. Rounds: 1 for the others, n - 1 for the root. Bytes: the root
 * sends (n - 1) m, the least possible, and nothing is copied on the way. Restrictions: none. Serves scatter and
 * scatterv.
 */
public final class DirectScatter extends CollectiveAlgorithm {
    public DirectScatter(Collective collective) {
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
            schedule.receive(root, recv(schedule, 0));
            return;
        }
        schedule.rounds(ranks - 1, round -> {
            Index peer = round.plus(root + 1).mod(ranks);
            schedule.send(peer, schedule.send(peer, 1));
        });
        schedule.copy(recv(schedule, 0), send(schedule, root));
    }
}

package org.brigade.algorithm.allgather;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Recursive doubling allgather: in round k, ranks that differ in bit k exchange all the blocks they have.
 *
 * <p>
 * Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH", 2005, section
 * 3.1: {@code T = log2(n) ts + ((n - 1)/n) M/B} for M bytes gathered. Rounds: log2 n, one message each. Bytes: ((n -
 * 1)/n) M a rank. Restrictions: a power of two ranks.
 */
public final class RecursiveDoublingAllgather extends CollectiveAlgorithm {
    public RecursiveDoublingAllgather() {
        super(Collective.ALLGATHER, "recursive-doubling",
            new Restrictions(false, true, Integer.MAX_VALUE, Long.MAX_VALUE));
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return CostModel.rounds(call.ranks(), 2) * model.start()
            + model.transferFar((double) call.others() * call.bytes());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int rank = geometry.rank();
        schedule.copy(recv(schedule, rank), send(schedule, 0));
        for (int length = 1; length < geometry.ranks(); length *= 2) {
            int peer = rank ^ length;
            schedule.send(peer, length == 1 ? send(schedule, 0) : schedule.recv(Index.of(rank & -length), length));
            schedule.receive(peer, schedule.recv(Index.of(peer & -length), length));
        }
    }
}

package org.brigade.algorithm.reduce;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Chain;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Index;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Two opposite pipelined chains to the root: one half of the vector is summed along the order of the wires, around its
 * end, the other half against it.
 *
 * <p>
 * Source: {@link org.brigade.algorithm.bcast.OppositeChainsBcast}, run backwards: {@code T = (M/2C + n - 2)(ts + C/B +
 * C c)} where the directions of the links limit. Rounds: chunks + n - 2. Bytes: every rank but the root sends M, in two
 * directions. Restrictions: commutative, as sums begin beside the root.
 */
public final class OppositeChainsReduce extends CollectiveAlgorithm {
    public OppositeChainsReduce() {
        super(Collective.REDUCE, "opposite-chains", Restrictions.COMMUTATIVE, WireUse.ORDER);
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public int hops(int ranks, CommunicatorTopology wires) {
        return ranks - 1;
    }

    @Override
    protected double equation(CostModel model, PredictedCall call) {
        return model.opposite(call.others(), call.others() > 2 ? 2 : 0, call.bytes(), call.chunk());
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        int ranks = geometry.ranks();
        schedule.split(2);
        if (ranks == 1) {
            schedule.copy(schedule.recv(Index.of(0), 2), schedule.send(Index.of(0), 2));
            return;
        }
        Chain chain = new Chain(geometry.order(), geometry.root());
        int at = chain.position(geometry.rank());
        schedule.stages(2);
        schedule.windows(() -> {
            for (int half = 0; half < 2; half++) {
                int step = half == 0 ? 1 : -1;
                int first = half == 0 ? 1 : ranks - 1;
                Slice own = send(schedule, half);
                schedule.stage(ranks == 2 ? 0 : half);
                if (at == 0) {
                    schedule.receiveReduce(chain.at(-step), recv(schedule, half), own, true);
                } else if (at == first) {
                    schedule.send(chain.at(at + step), own);
                } else {
                    Slice sum = scratch(schedule, 0, half);
                    schedule.receiveReduce(chain.at(at - step), sum, own, true);
                    schedule.send(chain.at(at + step), sum);
                }
            }
        });
    }
}

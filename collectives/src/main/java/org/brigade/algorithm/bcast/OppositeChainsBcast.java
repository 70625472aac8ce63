package org.brigade.algorithm.bcast;

import mpi.spi.Collective;
import org.brigade.algorithm.CollectiveAlgorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Chain;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;
import org.brigade.schedule.Slice;

/**
 * Two opposite pipelined chains: one half of the message goes along the order of the wires, the other half against it.
 * Every link between neighbours carries data in both directions, half as many in each.
 *
 * <p>
 * Source: Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), section 4.3, wants
 * PCIe links used in all directions at once; equation (5) for each half. {@code T = (M/2C + n - 2)(ts + C/B)} where the
 * directions of the links limit; where the ranks' own ports do, {@code (M/C + n - 2)(ts + C/B)}, which {@link #cost}
 * assumes. Rounds: chunks + n - 2. Bytes: every rank sends M, but for the two ends M/2. Restrictions: none. For large
 * messages over PCIe switches and root complexes, full duplex.
 */
public final class OppositeChainsBcast extends CollectiveAlgorithm {
    public OppositeChainsBcast() {
        super(Collective.BCAST, "opposite-chains", Restrictions.NONE, WireUse.ORDER);
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
            return;
        }
        Chain chain = new Chain(geometry.order(), geometry.root());
        int at = chain.position(geometry.rank());
        schedule.stages(2);
        schedule.windows(() -> {
            for (int half = 0; half < 2; half++) {
                int step = half == 0 ? 1 : -1;
                int last = half == 0 ? ranks - 1 : 1;
                Slice data = recv(schedule, half);
                // Between two ranks both halves go the same way, in one stream.
                schedule.stage(ranks == 2 ? 0 : half);
                if (at != 0) {
                    schedule.receive(chain.at(at - step), data);
                }
                if (at != last) {
                    schedule.send(chain.at(at + step), data);
                }
            }
        });
    }
}

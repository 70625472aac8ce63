package org.brigade.algorithm;

import mpi.spi.Collective;
import org.brigade.pattern.CommunicatorTopology;

/** An algorithm whose windows pass all ranks one after another. */
public abstract class ChainAlgorithm extends CollectiveAlgorithm {
    protected ChainAlgorithm(Collective collective, String name, WireUse wireUse) {
        super(collective, name, Restrictions.NONE, wireUse);
    }

    @Override
    public final boolean pipelined() {
        return true;
    }

    @Override
    public final int hops(int ranks, CommunicatorTopology wires) {
        return ranks - 1;
    }

    @Override
    protected final double equation(CostModel model, PredictedCall call) {
        return model.pipeline(hops(call.ranks(), call.wires()), call.bytes(), call.chunk());
    }
}

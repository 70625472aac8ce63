package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code scatter-allgather}: the root stores a piece into each member, which stores it into the others, by windows.
 *
 * <p>
 * Kernel: bandwidth_move.cuh. Flags waited for: 3. Bytes: M out of the root, and two windows of a piece. Restrictions:
 * aligned.
 */
public final class ScatterAllgatherKernel extends PipelineKernel {
    public ScatterAllgatherKernel() {
        super("scatter-allgather", "scatter_allgather");
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return (registered & Registration.RECV) != 0;
    }

    @Override
    public boolean storesInto(BlockExchange call, int member) {
        return member != call.root;
    }

    @Override
    protected long cut(BlockExchange call) {
        return call.bytes / Math.max(1, call.ranks - 1);
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        return model.start() + 3 * FLAG + model.transfer(call.bytes() + 2 * underWay(call) / call.ranks());
    }
}

package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code chain} of a reduce: in the order of the wires, from the rank behind the root to the root, each rank adds its
 * vector to the windows that come and stores the sums into the next rank's scratch.
 *
 * <p>
 * Kernel: chain.cuh. Flags waited for: n - 1. Bytes: M into each rank but the first, and n - 2 windows. Restrictions:
 * aligned. On streams it serves calls whatever is registered.
 */
public final class ChainReduceKernel extends PipelineKernel {
    public ChainReduceKernel() {
        super("chain", "chain");
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return registered != Registration.OVERWRITTEN;
    }

    @Override
    public Order order() {
        return Order.RING;
    }

    @Override
    protected long cut(BlockExchange call) {
        return call.bytes;
    }

    @Override
    protected int windowsOfASlot(BlockExchange call) {
        return 1;
    }

    @Override
    public boolean stepwise() {
        return true;
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        double bytes = call.bytes() + (others(call) - 1) * underWay(call);
        return model.start() + others(call) * FLAG + model.transfer(bytes);
    }
}

package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code chain}: from the root on, each rank stores every window into the next rank, in the order of the wires. A share
 * may go through host memory, which serves all ranks at once.
 *
 * <p>
 * Kernel: bandwidth_move.cuh. Flags waited for: n - 1. Bytes: M out of each rank but the last, and n - 2 windows.
 * Restrictions: aligned.
 */
public final class ChainKernel extends PipelineKernel {
    public ChainKernel() {
        super("chain", "chain");
    }

    @Override
    public boolean striped(Collective collective) {
        return true;
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return (registered & Registration.RECV) != 0;
    }

    @Override
    public Order order() {
        return Order.CHAIN;
    }

    @Override
    public boolean storesInto(BlockExchange call, int member) {
        return member != call.root && member == call.next;
    }

    @Override
    protected long cut(BlockExchange call) {
        return call.bytes;
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        double bytes = call.bytes() + (others(call) - 1) * underWay(call);
        return model.start() + others(call) * FLAG + linked(model, call, bytes);
    }
}

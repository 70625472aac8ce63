package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code ring}: all data goes by windows to the right neighbour in the order of the wires: partial sums through its
 * scratch, final results into its receive buffer.
 *
 * <p>
 * Kernel: bandwidth_reduce.cuh, bandwidth_move.cuh. Flags waited for: 2 (n - 1). Bytes: what the collective exchanges,
 * and a window. Restrictions: aligned; a reduce-scatter not in place.
 */
public final class RingKernel extends PipelineKernel {
    public RingKernel() {
        super("ring", "ring");
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return (registered & Registration.RECV) != 0
            || registered < Registration.OVERWRITTEN && collective == Collective.REDUCE_SCATTER;
    }

    @Override
    public Order order() {
        return Order.RING;
    }

    @Override
    public boolean storesInto(BlockExchange call, int member) {
        return call.collective != Collective.REDUCE_SCATTER && member == call.next;
    }

    @Override
    public int flags(BlockExchange call) {
        return call.collective == Collective.REDUCE_SCATTER ? REDUCE_SCATTER : 0;
    }

    @Override
    protected long cut(BlockExchange call) {
        return call.collective == Collective.ALLGATHER ? call.bytes : call.bytes / call.ranks;
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
        return model.start() + 2 * others(call) * FLAG + model.transfer(exchanged(collective, call) + underWay(call));
    }
}

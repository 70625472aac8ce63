package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code push-two-phase}: slices go by windows through scratch to their owners, who reduce them; an allreduce then
 * sends the results to all.
 *
 * <p>
 * Kernel: bandwidth_reduce.cuh. Flags waited for: 4. Bytes: what the collective exchanges, and two windows of a slice.
 * Restrictions: aligned; a reduce-scatter not in place.
 */
public final class PushTwoPhaseKernel extends PipelineKernel {
    public PushTwoPhaseKernel() {
        super("push-two-phase", "push_two_phase");
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return (registered & Registration.RECV) != 0
            || registered < Registration.OVERWRITTEN && collective == Collective.REDUCE_SCATTER;
    }

    @Override
    public boolean storesInto(BlockExchange call, int member) {
        return call.collective == Collective.ALLREDUCE;
    }

    @Override
    public int flags(BlockExchange call) {
        return call.collective == Collective.REDUCE_SCATTER ? REDUCE_SCATTER : 0;
    }

    @Override
    protected long cut(BlockExchange call) {
        return call.bytes / call.ranks;
    }

    @Override
    protected int windowsOfASlot(BlockExchange call) {
        return call.ranks - 1;
    }

    /** One thread block pushes, one reduces. */
    @Override
    protected int blocksOfALane() {
        return 2;
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        double bytes = exchanged(collective, call) + 2 * underWay(call) / call.ranks();
        return model.start() + 4 * FLAG + model.transfer(bytes);
    }
}

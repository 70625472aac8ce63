package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code pull}: each rank loads from the members' send buffers, and reduces as it loads.
 *
 * <p>
 * Kernel: reduce.cuh. Flags waited for: 2. Bytes: what the collective exchanges. Restrictions: not in place if other
 * ranks still have to read the buffer.
 */
public final class PullKernel extends DeviceKernel {
    private static final int THREADS = 512;

    public PullKernel() {
        super("pull", "pull", THREADS);
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return (registered & Registration.SEND) != 0;
    }

    @Override
    public boolean tells(BlockExchange call) {
        // In place a rank would overwrite what others still read; but no other rank reads a root's vector.
        return call.collective == Collective.REDUCE || !call.someInPlace;
    }

    @Override
    public boolean hearsFrom(BlockExchange call, int member) {
        return call.sendBytes[member] > 0;
    }

    @Override
    public boolean hasWork(BlockExchange call) {
        for (long bytes : call.recvBytes) {
            if (bytes > 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean loadsFrom(BlockExchange call, int member) {
        return call.recvBytes[member] > 0;
    }

    @Override
    public int blocks(BlockExchange call) {
        return bulkBlocks(call.bytes);
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        return model.start() + 2 * FLAG + model.transfer(exchanged(collective, call));
    }
}

package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code two-shot}: each rank pulls and reduces its slice of all vectors, then pushes it to all.
 *
 * <p>
 * Kernel: reduce.cuh. Flags waited for: 3. Bytes: 2 ((n - 1)/n) M a rank. Restrictions: none.
 */
public class TwoShotKernel extends DeviceKernel {
    private static final int THREADS = 512;

    public TwoShotKernel() {
        this("two-shot");
    }

    /** For {@link PairedKernel}, which falls back on this kernel. */
    TwoShotKernel(String name) {
        super(name, "two_shot", THREADS);
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return registered == Registration.BOTH;
    }

    @Override
    public boolean tells(BlockExchange call) {
        return true;
    }

    @Override
    public boolean loadsFrom(BlockExchange call, int member) {
        return call.bytes > 0;
    }

    @Override
    public boolean storesInto(BlockExchange call, int member) {
        return call.bytes > 0;
    }

    @Override
    public int blocks(BlockExchange call) {
        return bulkBlocks(call.bytes);
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        return model.start() + 3 * FLAG + model.transfer(exchanged(collective, call));
    }
}

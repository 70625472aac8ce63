package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;

/**
 * {@code push}: each rank stores its blocks directly into the members' receive buffers. It asks the receivers for the
 * places; if these are known and the hosts are told the end, {@link PutKernel} does it.
 *
 * <p>
 * Kernel: move.cu. Flags waited for: 2. Bytes: what the collective exchanges. Restrictions: an alltoall is not in
 * place; otherwise none.
 */
public class PushKernel extends DeviceKernel {
    private static final int THREADS = 1024;

    public PushKernel() {
        this("push");
    }

    /** For {@link CopyEngineKernel}, which falls back on this kernel. */
    PushKernel(String name) {
        super(name, "push", THREADS);
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return (registered & Registration.RECV) != 0;
    }

    @Override
    public DeviceKernel telling() {
        return PutKernel.INSTANCE;
    }

    @Override
    public boolean storesInto(BlockExchange call, int member) {
        return call.sendBytes[member] > 0;
    }

    @Override
    public int flags(BlockExchange call) {
        return PutKernel.INSTANCE.flags(call);
    }

    @Override
    public int blocks(BlockExchange call) {
        // Counts that only some ranks know are 0 here on all ranks.
        return call.bytes == 0 ? Integer.MAX_VALUE : bulkBlocks(call.bytes);
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        return model.start() + 2 * FLAG + model.transfer(exchanged(collective, call));
    }
}

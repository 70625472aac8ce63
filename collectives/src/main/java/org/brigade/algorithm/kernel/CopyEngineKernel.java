package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;

/**
 * {@code copy-engine}: with two ranks, one copy from each that has something for the other. A copy uses more of a
 * link's bandwidth than a kernel's stores can; of a broadcast, a share may go through host memory beside it. It starts
 * as fast as a kernel and needs no GPU flag. Where the members share no page-locked memory, and for calls that have not
 * met, the kernel {@code push} does the same.
 *
 * <p>
 * Bytes: what the collective exchanges. Restrictions: two ranks; those of {@code push}.
 */
public final class CopyEngineKernel extends PushKernel {
    public CopyEngineKernel() {
        super("copy-engine");
    }

    @Override
    protected int mostRanks() {
        return 2;
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public boolean striped(Collective collective) {
        return collective == Collective.BCAST;
    }

    @Override
    public boolean copies() {
        return true;
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return false;
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        return model.start() + linked(model, call, exchanged(collective, call));
    }
}

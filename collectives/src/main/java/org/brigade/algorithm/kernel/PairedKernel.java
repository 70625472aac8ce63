package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.allreduce.PairedAllreduce;

/**
 * {@code paired}: the stages of {@link PairedAllreduce} by copies of the copy engines, which use more of a link than a
 * kernel's stores can, and by the reductions of {@code pull} on this GPU's own memory. Within a pair a share may go
 * through host memory beside the direct copies. Where the members share no page-locked memory, and for calls that have
 * not met, the kernel {@code two-shot} does the same.
 *
 * <p>
 * Source: Temucin et al., 2021, section V: multi-path copies (A) in the stages within pairs of a three-stage allreduce
 * (B). Copies waited for: 2 + log2 of the pairs. Bytes: M a rank within the pair, (M/2) log2 of the pairs between them.
 * Restrictions: a power of two ranks.
 */
public final class PairedKernel extends TwoShotKernel {
    public PairedKernel() {
        super("paired");
    }

    @Override
    protected boolean powerOfTwo() {
        return true;
    }

    @Override
    protected boolean aligned() {
        return true;
    }

    @Override
    public boolean pipelined() {
        return true;
    }

    @Override
    public boolean striped(Collective collective) {
        return true;
    }

    @Override
    public boolean paired() {
        return true;
    }

    @Override
    public boolean runsOnStreams(Collective collective, int registered) {
        return false;
    }

    @Override
    public boolean stepwise() {
        return true;
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        int between = CostModel.floorLog(call.ranks()) - 1;
        return model.start() + (2 + between) * FLAG + linked(model, call, call.bytes())
            + between * model.transfer(call.bytes() / 2.0);
    }
}

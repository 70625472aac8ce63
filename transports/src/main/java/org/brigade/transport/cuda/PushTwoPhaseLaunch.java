package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;
import mpi.spi.Collective;

/** {@code push-two-phase}: slices go to their owners through scratch, and the results of an allreduce to all. */
final class PushTwoPhaseLaunch extends PipelineLaunch {
    PushTwoPhaseLaunch(Kernels kernels, GridLimits limits) {
        super(kernels, limits, "push_two_phase");
    }

    @Override
    boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member) {
        return call.collective == Collective.ALLREDUCE;
    }

    @Override
    int flags(DeviceCall call) {
        return call.collective == Collective.REDUCE_SCATTER ? CallArguments.REDUCE_SCATTER : 0;
    }

    @Override
    long cut(DeviceCall call, int ranks) {
        return call.bytes / ranks;
    }

    @Override
    int windowsOfASlot(int ranks) {
        return ranks - 1;
    }

    /** One pushes, one reduces. */
    @Override
    int blocksOfALane() {
        return 2;
    }
}

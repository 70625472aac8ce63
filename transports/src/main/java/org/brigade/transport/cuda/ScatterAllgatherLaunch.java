package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;

/** {@code scatter-allgather}: the root stores a piece into each, who stores it on into the others. */
final class ScatterAllgatherLaunch extends PipelineLaunch {
    ScatterAllgatherLaunch(Kernels kernels, GridLimits limits) {
        super(kernels, limits, "scatter_allgather");
    }

    @Override
    boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member) {
        return member != call.root;
    }

    @Override
    long cut(DeviceCall call, int ranks) {
        return call.bytes / Math.max(1, ranks - 1);
    }
}

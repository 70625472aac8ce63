package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;

/** {@code chain}: from the root on, each stores every window into the next. */
final class ChainLaunch extends PipelineLaunch {
    ChainLaunch(Kernels kernels, GridLimits limits) {
        super(kernels, limits, "chain");
    }

    @Override
    boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member) {
        return member != call.root && member == (rank + 1) % blocks.sendAt.length;
    }

    @Override
    long cut(DeviceCall call, int ranks) {
        return call.bytes;
    }
}

package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;

/** {@code pull}: loads from the members' send buffers and reduces. */
final class PullLaunch extends KernelLaunch {
    private static final int THREADS = 512;

    PullLaunch(Kernels kernels, GridLimits limits) {
        super(kernels, limits, "pull", THREADS);
    }

    @Override
    boolean loadsFrom(DeviceCall call, Blocks blocks, int rank, int member) {
        return blocks.recvBytes[member] > 0;
    }

    @Override
    boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member) {
        return false;
    }

    @Override
    int blocks(DeviceCall call, int ranks) {
        return Bulk.blocks(call.bytes);
    }
}

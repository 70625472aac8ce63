package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;

/** {@code two-shot}: every member reduces its slice of all vectors and pushes it to all. */
final class TwoShotLaunch extends KernelLaunch {
    private static final int THREADS = 512;

    TwoShotLaunch(Kernels kernels, GridLimits limits, Arrivals arrivals) {
        super(kernels, limits, "two_shot", THREADS, arrivals);
    }

    @Override
    boolean tells(DeviceCall call) {
        return true;
    }

    @Override
    boolean loadsFrom(DeviceCall call, Blocks blocks, int rank, int member) {
        return call.bytes > 0;
    }

    @Override
    boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member) {
        return call.bytes > 0;
    }

    @Override
    int blocks(DeviceCall call, int ranks) {
        return Bulk.blocks(call.bytes);
    }
}

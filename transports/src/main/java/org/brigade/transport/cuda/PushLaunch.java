package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;

/** {@code push}: stores straight into the members' receive buffers. */
final class PushLaunch extends KernelLaunch {
    private static final int THREADS = 1024;

    PushLaunch(Kernels kernels, GridLimits limits) {
        super(kernels, limits, "push", THREADS);
    }

    @Override
    boolean loadsFrom(DeviceCall call, Blocks blocks, int rank, int member) {
        return false;
    }

    @Override
    boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member) {
        return blocks.sendBytes[member] > 0;
    }

    @Override
    int blocks(DeviceCall call, int ranks) {
        // Counts that only some ranks know are 0 here on all.
        return call.bytes == 0 ? Integer.MAX_VALUE : Bulk.blocks(call.bytes);
    }
}

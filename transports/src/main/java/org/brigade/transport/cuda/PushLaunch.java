package org.brigade.transport.cuda;

import jcuda.driver.CUstream;
import org.brigade.device.DeviceCall;

/**
 * {@code push}: stores straight into the members' receive buffers. Where these are known, and hosts hear of the end, by {@link PutLaunch}; else by a kernel that asks the receivers' for the places.
 */
final class PushLaunch extends KernelLaunch {
    private static final int THREADS = 1024;

    private final PutLaunch put;

    /** @param arrivals null where there are none, on all members */
    PushLaunch(Kernels kernels, GridLimits limits, Arrivals arrivals) {
        super(kernels, limits, "push", THREADS);
        put = arrivals == null ? null : new PutLaunch(kernels, limits, arrivals);
    }

    @Override
    public void prepare(DeviceCall call) {
        super.prepare(call);
        if (put != null) {
            put.prepare(call);
        }
    }

    @Override
    public void launch(DeviceCall call, GroupMemory memory, CallArguments arguments, CUstream stream) {
        if (put != null && call.met && put.tells(call)) {
            put.launch(call, memory, arguments, stream);
        } else {
            super.launch(call, memory, arguments, stream);
        }
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

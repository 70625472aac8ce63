package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;
import mpi.spi.Collective;

/** {@code pull}: loads from the members' send buffers and reduces. */
final class PullLaunch extends KernelLaunch {
    private static final int THREADS = 512;

    PullLaunch(Kernels kernels, GridLimits limits, Arrivals arrivals) {
        super(kernels, limits, "pull", THREADS, arrivals);
    }

    @Override
    boolean tells(DeviceCall call) {
        // In place a rank would write over what others still read; but a root's vector is read by nobody else.
        return call.collective == Collective.REDUCE || !call.placement.inPlace;
    }

    @Override
    boolean hearsFrom(DeviceCall call, Blocks blocks, int member) {
        return blocks.sendBytes[member] > 0;
    }

    @Override
    boolean hasWork(DeviceCall call, Blocks blocks, int rank) {
        for (long bytes : blocks.recvBytes) {
            if (bytes > 0) {
                return true;
            }
        }
        return false;
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

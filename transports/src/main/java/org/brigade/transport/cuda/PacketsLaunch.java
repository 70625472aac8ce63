package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;
import mpi.spi.Collective;

/** {@code packets}: through the members' scratch memory only. */
final class PacketsLaunch extends KernelLaunch {
    private static final int THREADS = 512;
    /** What a block of 512 threads sends with one store each. */
    private static final long BYTES_A_BLOCK = 4 << 10;
    private static final int MOST = 32;

    PacketsLaunch(Kernels kernels, GridLimits limits) {
        super(kernels, limits, "packets", THREADS);
    }

    @Override
    String movingName() {
        return "packets_place";
    }

    @Override
    boolean loadsFrom(DeviceCall call, Blocks blocks, int rank, int member) {
        return false;
    }

    @Override
    boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member) {
        return false;
    }

    @Override
    int blocks(DeviceCall call, int ranks) {
        return (int) Math.min(MOST, (call.bytes + BYTES_A_BLOCK - 1) / BYTES_A_BLOCK);
    }

    @Override
    int mostBlocks(DeviceCall call, Blocks blocks) {
        // Blocks of unequal lengths in place: only a single thread block reads all before it writes. All members must come to the same grid, in place or not.
        return call.collective == Collective.REDUCE_SCATTER && blocks.unequal ? 1 : CallArguments.MAX_BLOCKS;
    }
}

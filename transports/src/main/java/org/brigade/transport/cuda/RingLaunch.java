package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;
import mpi.spi.Collective;

/** {@code ring}: everything goes to the right neighbour in the wires' order, sums in the making through his scratch, what is final into his receive buffer. */
final class RingLaunch extends PipelineLaunch {
    private final Numbering numbering;

    RingLaunch(Kernels kernels, GridLimits limits, Numberings numberings) {
        super(kernels, limits, "ring");
        numbering = numberings.ring();
    }

    @Override
    boolean storesInto(DeviceCall call, Blocks blocks, int rank, int member) {
        return call.collective != Collective.REDUCE_SCATTER && member == numbering.next(rank, blocks.sendAt.length);
    }

    @Override
    Numbering numbering(DeviceCall call) {
        return numbering;
    }

    @Override
    int flags(DeviceCall call) {
        return call.collective == Collective.REDUCE_SCATTER ? CallArguments.REDUCE_SCATTER : 0;
    }

    @Override
    long cut(DeviceCall call, int ranks) {
        return call.collective == Collective.ALLGATHER ? call.bytes : call.bytes / ranks;
    }

    @Override
    int windowsOfASlot(int ranks) {
        return 1;
    }
}

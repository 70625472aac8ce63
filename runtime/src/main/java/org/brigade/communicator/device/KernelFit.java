package org.brigade.communicator.device;

import mpi.spi.Collective;
import mpi.spi.DeviceBuffer;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.kernel.PairwiseKernel;
import org.brigade.device.DeviceCall;
import org.brigade.device.Devices;

/**
 * Decides from one rank's view whether kernels can serve a call: by the operation and by where the rank's own buffers
 * are.
 */
final class KernelFit {
    /** Bytes of the largest item that kernels support. */
    private static final int LARGEST_ITEM = 16;

    private KernelFit() {
    }

    /**
     * Whether kernels can do the call's reduction. They read whole items, so each item must be at a multiple of its
     * size. Otherwise the call goes through the host.
     */
    static boolean reduces(Devices devices, DeviceCall call) {
        TypeLayout type = call.type;
        return type.extent <= LARGEST_ITEM && Integer.bitCount(type.extent) == 1
            && devices.reduces(type, call.op.operator)
            && isAligned(call.send, call.sendOffset, type.extent) && isAligned(call.recv, call.recvOffset, type.extent);
    }

    /** Whether this rank has no more blocks than a kernel can be told one by one. */
    static boolean lists(DeviceCall call) {
        return call.out.count() <= PairwiseKernel.MOST_EDGES && call.in.count() <= PairwiseKernel.MOST_EDGES;
    }

    /** How this rank's buffers and blocks are placed. */
    static Placement placement(DeviceCall call) {
        return Placement.of(isAligned(call, call.collective), call.inPlace);
    }

    /** Blocks that lie side by side are placed alike on all ranks, if all ranks know the lengths. */
    private static boolean isAligned(DeviceCall call, Collective collective) {
        if (!isAligned(call.send, call.sendOffset, Placement.ALIGNMENT)
            || !isAligned(call.recv, call.recvOffset, Placement.ALIGNMENT)) {
            return false;
        }
        return switch (collective) {
            case ALLGATHER, ALLGATHERV -> areAligned(call.recvAt, call.recvBytes);
            case REDUCE_SCATTER -> areAligned(call.sendAt, call.sendBytes);
            default -> true;
        };
    }

    private static boolean isAligned(DeviceBuffer buffer, long offset, int bytes) {
        return buffer == null || (buffer.address + offset & bytes - 1) == 0;
    }

    private static boolean areAligned(long[] at, long[] lengths) {
        long next = 0;
        for (int peer = 0; peer < at.length; peer++) {
            if (lengths[peer] > 0 && (at[peer] != next || next % Placement.ALIGNMENT != 0)) {
                return false;
            }
            next += lengths[peer];
        }
        return true;
    }
}

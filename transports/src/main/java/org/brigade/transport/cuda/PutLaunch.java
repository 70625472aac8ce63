package org.brigade.transport.cuda;

import org.brigade.device.DeviceCall;
import mpi.spi.Collective;

/** Each rank stores its blocks into the receivers' buffers and tells their hosts; who only receives has no kernel. For blocks of one length, whose places all know. */
final class PutLaunch extends KernelLaunch {
    private static final int THREADS = 512;
    /** ALIKE of call.cuh. */
    private static final int ALIKE = 16;
    private static final int MOST_BLOCKS = 64;
    /** Bytes that leave a rank for each of its blocks, below which another block costs more than it carries. */
    private static final long BYTES_A_BLOCK = 8 << 10;

    PutLaunch(Kernels kernels, GridLimits limits, Arrivals arrivals) {
        super(kernels, limits, "put", THREADS, arrivals);
    }

    @Override
    boolean tells(DeviceCall call) {
        return switch (call.collective) {
            case BCAST, ALLGATHER, ALLTOALL, GATHER, SCATTER -> true;
            default -> false;
        };
    }

    @Override
    boolean hearsFrom(DeviceCall call, Blocks blocks, int member) {
        return blocks.recvBytes[member] > 0;
    }

    @Override
    boolean hasWork(DeviceCall call, Blocks blocks, int rank) {
        for (int member = 0; member < blocks.sendBytes.length; member++) {
            if (blocks.sendBytes[member] > 0 && (member != rank || !liesWhereItBelongs(call, blocks, rank))) {
                return true;
            }
        }
        return false;
    }

    private static boolean liesWhereItBelongs(DeviceCall call, Blocks blocks, int rank) {
        return call.collective == Collective.BCAST || call.inPlace || blocks.recvBytes[rank] == 0;
    }

    @Override
    void place(DeviceCall call, GroupMemory memory, CallArguments arguments) {
        Blocks blocks = memory.blocks;
        int rank = memory.rank;
        // The blocks of a root's receivers begin their buffers; else a sender's block is the one of its rank.
        long at = call.collective == Collective.BCAST || call.collective == Collective.SCATTER ? 0 : rank * call.bytes;
        for (int member = 0; member < memory.ranks; member++) {
            long target = 0;
            if (member == rank) {
                target = liesWhereItBelongs(call, blocks, rank) ? 0 : call.recv.address + call.recvOffset + blocks.recvAt[rank];
            } else if (blocks.sendBytes[member] > 0) {
                target = memory.recvOf(call, member) + at;
            }
            arguments.putLong(CallArguments.PEER_RECV, member, target);
        }
    }

    @Override
    int flags(DeviceCall call) {
        return call.collective == Collective.BCAST || call.collective == Collective.ALLGATHER ? ALIKE : 0;
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
        return (int) Math.max(1, Math.min(MOST_BLOCKS, call.bytes / BYTES_A_BLOCK));
    }
}

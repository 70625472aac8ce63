package org.brigade.algorithm.kernel;

import mpi.spi.Collective;
import org.brigade.algorithm.BlockExchange;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.PredictedCall;

/**
 * What {@code push} runs if the hosts have met: each rank stores its blocks into the receivers' buffers and tells their
 * hosts. A rank that only receives runs no kernel. For blocks of one length, whose places all ranks know.
 */
public final class PutKernel extends DeviceKernel {
    static final PutKernel INSTANCE = new PutKernel();

    /** ALIKE of call.cuh. */
    private static final int ALIKE = 16;
    private static final int THREADS = 512;
    private static final int MOST_BLOCKS = 64;
    /** Bytes that a rank sends of each of its blocks; with fewer, another thread block costs more than it carries. */
    private static final long BYTES_A_BLOCK = 8 << 10;

    private PutKernel() {
        super("put", "put", THREADS);
    }

    @Override
    public boolean tells(BlockExchange call) {
        return switch (call.collective) {
            case BCAST, ALLGATHER, ALLTOALL, GATHER, SCATTER -> true;
            default -> false;
        };
    }

    @Override
    public boolean hearsFrom(BlockExchange call, int member) {
        return call.recvBytes[member] > 0;
    }

    @Override
    public boolean hasWork(BlockExchange call) {
        for (int member = 0; member < call.ranks; member++) {
            if (call.sendBytes[member] > 0 && (member != call.rank || storesOwn(call))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean storesInto(BlockExchange call, int member) {
        return call.sendBytes[member] > 0;
    }

    @Override
    public long placeAt(BlockExchange call) {
        // The blocks of a root's receivers are at the start of their buffers; else a sender's block is at its rank's
        // place.
        boolean first = call.collective == Collective.BCAST || call.collective == Collective.SCATTER;
        return first ? 0 : call.rank * call.bytes;
    }

    @Override
    public boolean knowsPlaces() {
        return true;
    }

    /** Unless the block already lies in its place. */
    @Override
    public boolean storesOwn(BlockExchange call) {
        return call.collective != Collective.BCAST && !call.inPlace && call.recvBytes[call.rank] != 0;
    }

    @Override
    public int flags(BlockExchange call) {
        return call.collective == Collective.BCAST || call.collective == Collective.ALLGATHER ? ALIKE : 0;
    }

    @Override
    public int blocks(BlockExchange call) {
        return (int) Math.max(1, Math.min(MOST_BLOCKS, call.bytes / BYTES_A_BLOCK));
    }

    @Override
    public double cost(CostModel model, Collective collective, PredictedCall call) {
        return model.start() + model.transfer(exchanged(collective, call));
    }
}

package org.brigade.verify.straight;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.FusedPull;
import org.brigade.engine.ShortMessages;
import org.brigade.engine.fused.FusedBlocks;
import org.brigade.engine.fused.FusedSharedBuffer;
import org.brigade.engine.fused.FusedSingleCopy;
import org.brigade.engine.node.CallMembers;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.engine.node.SharedAccess;
import org.brigade.engine.node.SharedBuffer;
import org.brigade.nativ.ProcessMemory;
import org.brigade.op.Combiner;

/** The straight-line code of one rank, as a job opens it. Its memory, its messages and its waits are the verifier's. */
final class StraightRank {
    private final int rank;
    private final int ranks;
    private final CallMembers peers;
    private final SharedBuffer buffer;
    private final FusedFlat flat;
    private final FusedBlocks blocks;
    private final FusedPull pull;
    private final FusedSingleCopy singleCopy;
    private FusedSharedBuffer shared;

    /**
     * @param slots by which {@link FusedPull} and {@link FusedSingleCopy} exchange
     * @param buffer of the node
     */
    StraightRank(int rank, int ranks, ShortMessages messages, SharedAccess access, CallMembers peers,
        PulledBlocks slots,
        SharedBuffer buffer) {
        this.rank = rank;
        this.ranks = ranks;
        this.peers = peers;
        this.buffer = buffer;
        flat = new FusedFlat(messages, access, rank, ranks);
        blocks = new FusedBlocks(messages, access, rank, ranks);
        pull = new FusedPull(peers, rank, ranks, slots);
        singleCopy = new FusedSingleCopy(pull, new ProcessMemory[ranks]);
        open();
    }

    private void open() {
        shared = new FusedSharedBuffer(rank, ranks, new FusedPull(peers, rank, ranks, buffer.blocks()), buffer);
    }

    /** Another communicator of the same members takes the shared buffer over. */
    void takeOver() {
        buffer.restart();
        open();
    }

    /** The communicator that has the shared buffer is freed. */
    void end() {
        buffer.end();
    }

    /**
     * Makes a call.
     *
     * @param incomingLast null, as the next, if the collective does not reduce
     */
    void run(long key, Call call, Algorithm algorithm, Combiner incomingLast, Combiner incomingFirst) {
        switch (algorithm.execution()) {
            case FUSED -> {
                switch (call.collective) {
                    case BARRIER -> flat.barrier(key);
                    case BCAST -> flat.bcast(key, call);
                    case ALLREDUCE -> {
                        flat.allreducePost(key, call);
                        flat.allreduceFold(key, call, incomingLast, incomingFirst);
                    }
                    default -> blocks.run(key, call, incomingLast, incomingFirst);
                }
            }
            case PULL -> pull.run(key, call, incomingLast);
            case SINGLE_COPY -> singleCopy.run(key, call);
            case SHARED_BUFFER -> shared.run(key, call, algorithm, incomingLast);
            default -> throw new IllegalArgumentException(algorithm + " has no straight-line code in host memory");
        }
    }

    /** Whether an algorithm is straight-line code that the verifier runs. */
    static boolean runs(Algorithm algorithm) {
        return switch (algorithm.execution()) {
            case FUSED, PULL, SINGLE_COPY, SHARED_BUFFER -> true;
            case SCHEDULE, MULTICAST, NETWORK, KERNEL -> false;
        };
    }

    /** Whether an algorithm can make calls with items of this length. */
    boolean fits(Algorithm algorithm, int itemBytes) {
        return algorithm.collective() == Collective.BCAST || !algorithm.collective().reduces
            || shared.fits(algorithm, itemBytes);
    }
}

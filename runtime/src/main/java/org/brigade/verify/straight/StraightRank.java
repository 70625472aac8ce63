package org.brigade.verify.straight;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.FusedAlgorithm;
import org.brigade.algorithm.Runners;
import org.brigade.algorithm.WireUse;
import org.brigade.engine.FlatCollectives;
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
final class StraightRank implements Runners<StraightRank.Code> {
    /** The code of one algorithm. */
    interface Code {
        void run(long key, Call call, Combiner incomingLast, Combiner incomingFirst);
    }

    private final int rank;
    private final int ranks;
    private final CallMembers peers;
    private final SharedBuffer buffer;
    private final FlatCollectives flat;
    private final FusedBlocks blocks;
    private final FusedPull pull;
    private final FusedSingleCopy singleCopy;
    private FusedSharedBuffer shared;
    private final Code partitioned =
        (key, call, incomingLast, incomingFirst) -> shared.partition(key, call, incomingLast);

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
        flat = new FlatCollectives(messages, access, rank, ranks);
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
        code(algorithm).run(key, call, incomingLast, incomingFirst);
    }

    /** Whether an algorithm is straight-line code that the verifier runs. */
    static boolean runs(Algorithm algorithm) {
        return algorithm instanceof FusedAlgorithm && algorithm.wireUse() != WireUse.MULTICAST;
    }

    private Code code(Algorithm algorithm) {
        Code code = algorithm.open(this);
        if (code == null) {
            throw new IllegalArgumentException(algorithm + " has no straight-line code in host memory");
        }
        return code;
    }

    // ---- the code of each way to run; null where there is none ----

    @Override
    public Code flat(Collective collective) {
        return switch (collective) {
            case BARRIER -> (key, call, incomingLast, incomingFirst) -> flat.barrier(key);
            case BCAST -> (key, call, incomingLast, incomingFirst) -> flat.bcast(key, call);
            case ALLREDUCE -> (key, call, incomingLast, incomingFirst) -> {
                flat.allreducePost(key, call);
                flat.allreduceFold(key, call, incomingLast, incomingFirst);
            };
            default -> blocks::run;
        };
    }

    @Override
    public Code pull() {
        return (key, call, incomingLast, incomingFirst) -> pull.run(key, call, false, incomingLast);
    }

    @Override
    public Code flatPull() {
        return (key, call, incomingLast, incomingFirst) -> pull.run(key, call, true, incomingLast);
    }

    @Override
    public Code singleCopy() {
        return (key, call, incomingLast, incomingFirst) -> singleCopy.run(key, call);
    }

    @Override
    public Code copyInCopyOut() {
        return (key, call, incomingLast, incomingFirst) -> shared.copy(key, call);
    }

    @Override
    public Code movementAvoiding() {
        return (key, call, incomingLast, incomingFirst) -> shared.reduce(key, call, incomingLast);
    }

    @Override
    public Code partitioned() {
        return partitioned;
    }

    @Override
    public Code schedule() {
        return null;
    }

    @Override
    public Code multicast() {
        return null;
    }

    @Override
    public Code network() {
        return null;
    }

    @Override
    public Code kernel() {
        return null;
    }
}

package org.brigade.cli.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The operations that the benchmark can time. Bytes are those of one rank's message, as the OSU benchmarks count them.
 * For bcast and the reductions (floats) that is the vector. For gather, scatter, allgather and alltoall it is one
 * block. For reduce-scatter it is the whole input.
 */
public enum BenchOperation {
    LATENCY(1, 1), BW(1, 1), BIBW(1, 1), BARRIER(0, 0), BCAST(1, 0), REDUCE(1, 1), ALLREDUCE(1, 1), SCAN(1, 1),
    EXSCAN(1, 1),
    GATHER(1, -1), GATHERV(1, -1), SCATTER(-1, 1), SCATTERV(-1, 1), ALLGATHER(1, -1), ALLGATHERV(1, -1),
    REDUCE_SCATTER(1, 1), ALLTOALL(-1, -1),
    ALLTOALLV(-1, -1);

    private static final int RANKS = -1;

    private final int sendBlocks;
    private final int recvBlocks;

    /** How many messages the send buffer and the receive buffer hold; -1: one for each rank. */
    BenchOperation(int sendBlocks, int recvBlocks) {
        this.sendBlocks = sendBlocks;
        this.recvBlocks = recvBlocks;
    }

    /** The name on the command line and in the first column: {@code reduce-scatter}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws IllegalArgumentException listing the names */
    public static BenchOperation of(String key) {
        for (BenchOperation operation : values()) {
            if (operation.key().equals(key)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("'" + key + "' is no operation; there are: "
            + String.join(", ", Arrays.stream(values()).map(BenchOperation::key).toList()));
    }

    /** @throws IllegalArgumentException listing the names, or if an operation needs a second rank and there is none */
    static List<BenchOperation> list(String keys, int ranks) {
        List<BenchOperation> operations = Arrays.stream(keys.split(",")).map(BenchOperation::of).toList();
        for (BenchOperation operation : operations) {
            if (operation.pointToPoint() && ranks < 2) {
                throw new IllegalArgumentException(operation.key() + " needs 2 ranks; start the benchmark with --np 2");
            }
        }
        return operations;
    }

    public boolean pointToPoint() {
        return this == LATENCY || this == BW || this == BIBW;
    }

    /** Whether elements are floats, so that sizes below 4 bytes have none. */
    boolean reduces() {
        return this == REDUCE || this == ALLREDUCE || this == SCAN || this == EXSCAN || this == REDUCE_SCATTER;
    }

    long sendBytes(long bytes, int ranks) {
        return bytes * (sendBlocks == RANKS ? ranks : sendBlocks);
    }

    long recvBytes(long bytes, int ranks) {
        return bytes * (recvBlocks == RANKS ? ranks : recvBlocks);
    }
}

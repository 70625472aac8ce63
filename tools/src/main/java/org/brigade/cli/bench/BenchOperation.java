package org.brigade.cli.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import mpi.Intracomm;
import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.Extent;
import org.brigade.cli.bench.families.FamilyOperation;
import org.brigade.cli.shared.UserCall;

/**
 * The operations that the benchmark can time: messages between two ranks, a message that all ranks pass on and test for
 * ({@code polling}), accesses to a window, and every collective. Bytes are those of one rank's message, as the OSU
 * benchmarks count them. Collectives among neighbours run on a ring. For bcast and the reductions (floats) that is the
 * vector. For gather, scatter, allgather and alltoall it is one block. For reduce-scatter it is the whole input.
 *
 * @param key the name on the command line and in the first column: {@code reduce-scatter}
 * @param collective null for messages and accesses
 */
public record BenchOperation(String key, Collective collective) {
    /** Edges of a rank of the ring on which collectives among neighbours are timed. */
    static final int RING_EDGES = 2;
    static final BenchOperation LATENCY = new BenchOperation("latency", null);
    static final BenchOperation BW = new BenchOperation("bw", null);
    static final BenchOperation BIBW = new BenchOperation("bibw", null);
    static final BenchOperation POLLING = new BenchOperation("polling", null);
    static final BenchOperation PUT = new BenchOperation("put", null);
    static final BenchOperation GET = new BenchOperation("get", null);
    static final List<BenchOperation> ALL = all();

    /** The names, for help. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(ALL.stream().map(BenchOperation::key),
                FamilyOperation.ALL.stream().map(FamilyOperation::key)).iterator();
        }
    }

    private static List<BenchOperation> all() {
        List<BenchOperation> all = new ArrayList<>(List.of(LATENCY, BW, BIBW, POLLING, PUT, GET));
        for (Collective collective : Collective.values()) {
            all.add(new BenchOperation(collective.key(), collective));
        }
        return List.copyOf(all);
    }

    /** @throws IllegalArgumentException listing the names */
    public static BenchOperation of(String key) {
        for (BenchOperation operation : ALL) {
            if (operation.key.equals(key)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("'" + key + "' is no operation; there are: "
            + String.join(", ", new Names()));
    }

    /**
     * Checks a list in which there may be operations of families, too.
     *
     * @throws IllegalArgumentException listing the names, or if an operation needs a second rank and there is none
     */
    static void check(String keys, int ranks) {
        for (String key : keys.split(",", -1)) {
            FamilyOperation family = FamilyOperation.of(key);
            if (ranks < (family != null ? family.ranksNeeded() : of(key).pointToPoint() ? 2 : 1)) {
                throw new IllegalArgumentException(key + " needs 2 ranks; start the benchmark with --np 2");
            }
        }
    }

    /** @throws IllegalArgumentException listing the names, or if an operation needs a second rank and there is none */
    static List<BenchOperation> list(String keys, int ranks) {
        check(keys, ranks);
        return Arrays.stream(keys.split(",")).map(BenchOperation::of).toList();
    }

    /** The communicator to time it on: {@code comm}, or a ring of its ranks. All ranks call it. */
    Intracomm communicator(Intracomm comm) throws MPIException {
        return collective != null && collective.amongNeighbours() ? UserCall.communicator(collective, comm) : comm;
    }

    public boolean pointToPoint() {
        return collective == null;
    }

    boolean oneSided() {
        return this == PUT || this == GET;
    }

    /** Whether elements are floats, so that sizes below 4 bytes have none. */
    boolean reduces() {
        return collective != null && collective.reduces;
    }

    /** The length of the send buffer; a bcast is timed in it. */
    public long sendBytes(long bytes, int ranks) {
        return pointToPoint() || collective == Collective.BCAST || collective == Collective.REDUCE_SCATTER ? bytes
            : buffer(collective.send, bytes, ranks);
    }

    /** The length of the receive buffer. */
    public long recvBytes(long bytes, int ranks) {
        return pointToPoint() ? bytes : buffer(collective.recv, bytes, ranks);
    }

    private static long buffer(Extent extent, long bytes, int ranks) {
        return switch (extent) {
            case NONE -> 0;
            case VECTOR, OWN -> bytes;
            case EACH -> bytes * ranks;
            case EDGES -> bytes * RING_EDGES;
        };
    }
}

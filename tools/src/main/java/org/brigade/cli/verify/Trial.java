package org.brigade.cli.verify;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.spi.Collective;
import mpi.spi.Counts;
import mpi.spi.Extent;
import org.brigade.algorithm.Placement;
import org.brigade.cli.device.QueuedCalls;
import org.brigade.cli.device.TrialMemory;
import org.brigade.cli.shared.UserCall;
import org.brigade.verify.SampleCall;

/**
 * Calls one collective once, with the same arguments on every rank, and compares the result with what the host computes
 * from all ranks' items. It also checks memory that the call must not write: {@value #GUARD} poisoned bytes on either
 * side, poisoned gaps between blocks, and all of the input.
 *
 * <pre>
 *   send   | guard | shift items | input  ...            | guard |
 *   recv   | guard | shift items | output, or input in place ... | guard |
 * </pre>
 */
final class Trial {
    static final int GUARD = 256;
    /** Blocks of a rank with its neighbours. */
    private static final int RING_BLOCKS = 2;
    private static final byte POISON = (byte) 0xa5;

    private final Intracomm comm;
    /** Makes the calls on a stream; null for blocking calls. */
    private final QueuedCalls queued;
    private final int rank;
    private final TrialMemory send;
    private final TrialMemory recv;
    // The call.
    private final TrialType type;
    private final Op op;
    private final SampleCall call;
    private final int shift;
    private final long seed;
    // Offset of the call's buffers in both memories.
    private final int at;
    private ByteBuffer input;
    private ByteBuffer expected;

    /**
     * @param op null if the collective does not reduce
     * @param shift items between the guard and the buffers, so that buffers are aligned to an item only
     */
    Trial(Intracomm comm, QueuedCalls queued, TrialMemory send, TrialMemory recv, TrialType type, Op op,
        SampleCall call, int shift, long seed) throws MPIException {
        this.comm = comm;
        this.queued = queued;
        rank = comm.getRank();
        this.send = send;
        this.recv = recv;
        this.type = type;
        this.op = op;
        this.call = call;
        this.shift = shift;
        this.seed = seed;
        at = GUARD + shift * type.extent();
    }

    /** Bytes that each of the two memories needs for blocks of so many bytes. */
    static long memory(int ranks, long blockBytes) {
        return 4 * GUARD + Math.max(RING_BLOCKS, ranks) * (blockBytes + 64 * 16);
    }

    static boolean hasInPlace(Collective collective) {
        return collective != Collective.BCAST && collective != Collective.ALLTOALL
            && collective != Collective.ALLTOALLV && !collective.amongNeighbours();
    }

    /** The bytes of the call, as {@link org.brigade.select.SizeThresholds} counts them. */
    long bytes() {
        return (long) (call.collective().counts == Counts.SHARED ? Arrays.stream(blocks()).sum() : call.count())
            * type.extent();
    }

    /** Items of the blocks of all ranks, where each rank has its own. */
    private int[] blocks() {
        return call.collective() == Collective.REDUCE_SCATTER ? call.sent(rank) : call.received(rank);
    }

    /** Makes the call. Returns null, or what is wrong on this rank. */
    String run() throws MPIException {
        boolean rootOnly = call.collective().scatters() && rank != call.root();
        boolean inRecv = call.inReceiveBuffer(rank);
        int[] sent = call.sent(rank);
        int[] received = call.received(rank);
        ByteBuffer mine = type.items(seed, rank, rootOnly ? 0 : call.items(sent), op);
        input = inRecv || rootOnly || call.collective() == Collective.BCAST ? null : mine;
        expected = poisoned(call.items(received));
        recv.write(at - GUARD, poison(TrialType.bytes(expected.capacity() + 2 * GUARD)));
        if (input != null) {
            send.write(at, mine.duplicate());
        }
        if (inRecv) {
            int place = call.ownPlace(rank) * type.extent();
            recv.write(at + place, mine.duplicate());
            // For reduce-scatter in place, MPI leaves everything but the rank's own block undefined.
            expected.put(place, mine, 0, Math.min(mine.capacity(), expected.capacity() - place));
        }
        type.result(call, rank, seed, op, expected);
        boolean isRoot = !call.collective().rooted || rank == call.root();
        UserCall made = new UserCall(call.collective(), rootOnly ? null : send.at(at), sent,
            places(sent), isRoot || call.collective().recv == Extent.OWN || call.collective() == Collective.BCAST
                ? recv.at(at) : null,
            received, places(received), type.type(), op, call.root(), call.inPlace());
        if (queued != null) {
            queued.run(made);
        } else {
            made.run(comm);
        }
        return compare();
    }

    private int[] places(int[] counts) {
        return Arrays.copyOf(call.places(counts), counts.length);
    }

    /** The placement of the call's buffers, as selection sees it. */
    Placement placement() {
        boolean aligned = at % Placement.ALIGNMENT == 0;
        switch (call.collective()) {
            case ALLGATHER, ALLGATHERV, REDUCE_SCATTER -> {
                int[] counts = blocks();
                int[] places = call.places(counts);
                for (int i = 0; i < counts.length; i++) {
                    aligned &= counts[i] == 0 || (long) places[i] * type.extent() % Placement.ALIGNMENT == 0;
                }
                aligned &= !call.listed() || call.gap() == 0;
            }
            default -> {
            }
        }
        return Placement.of(aligned, call.inPlace());
    }

    // ---- data ----

    private ByteBuffer poisoned(int items) {
        return poison(TrialType.bytes(items * type.extent()));
    }

    private static ByteBuffer poison(ByteBuffer bytes) {
        for (int i = 0; i < bytes.capacity(); i++) {
            bytes.put(i, POISON);
        }
        return bytes;
    }

    private String compare() {
        int length = expected.capacity();
        boolean openEnd = call.collective() == Collective.REDUCE_SCATTER && call.inPlace();
        ByteBuffer found = TrialType.bytes(length + (openEnd ? GUARD : 2 * GUARD));
        recv.read(at - GUARD, found);
        for (int i = 0; i < found.capacity(); i++) {
            boolean outside = i < GUARD || i >= GUARD + length;
            if (outside && found.get(i) != POISON) {
                return words() + ": byte " + (i - GUARD) + " beside the receive buffer of " + length
                    + " bytes was written";
            }
        }
        ByteBuffer body = found.slice(GUARD, length).order(found.order());
        String wrong = difference(body, expected, "result");
        if (wrong == null && input != null) {
            ByteBuffer sent = TrialType.bytes(input.capacity());
            send.read(at, sent);
            wrong = difference(sent, input, "the send buffer's");
        }
        return wrong;
    }

    private String difference(ByteBuffer found, ByteBuffer wanted, String what) {
        int items = wanted.capacity() / type.extent();
        for (int item = 0; item < items;) {
            int mismatch = found.slice(item * type.extent(), (items - item) * type.extent())
                .mismatch(wanted.slice(item * type.extent(), (items - item) * type.extent()));
            if (mismatch < 0) {
                return null;
            }
            item += mismatch / type.extent();
            if (!type.same(found, wanted, item * type.extent())) {
                return words() + ": " + what + " item " + item + " is " + type.shown(found, item * type.extent())
                    + ", not " + type.shown(wanted, item * type.extent());
            }
            item++;
        }
        return null;
    }

    /** The call, for messages. */
    String words() {
        return call.collective().key() + " on rank " + rank + " of " + call.ranks()
            + (call.collective().rooted ? ", root " + call.root() : "") + ", " + call.count() + " " + type.name()
            + (op == null ? "" : " " + name(op)) + (shift > 0 ? ", " + shift + " items into the allocation" : "")
            + (call.inPlace() ? ", in place" : "");
    }

    private static String name(Op op) {
        Op[] ops =
            {MPI.SUM, MPI.PROD, MPI.MAX, MPI.MIN, MPI.LAND, MPI.LOR, MPI.LXOR, MPI.BAND, MPI.BOR, MPI.BXOR, MPI.MAXLOC,
                MPI.MINLOC};
        String[] names =
            {"sum", "prod", "max", "min", "land", "lor", "lxor", "band", "bor", "bxor", "maxloc", "minloc"};
        for (int i = 0; i < ops.length; i++) {
            if (ops[i] == op) {
                return names[i];
            }
        }
        return "op";
    }
}

package org.brigade.cli.verify;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.spi.Collective;
import org.brigade.algorithm.Placement;
import org.brigade.cli.device.QueuedCalls;

/**
 * Calls one collective once, on every rank with the same arguments, and compares what it wrote with what the host
 * computes from all ranks' items. Memory that the call may not write is poisoned first and looked at afterwards:
 * {@value #GUARD} bytes on either side, gaps between blocks, and all of the input.
 *
 * <pre>
 *   send   | guard | shift items | input  ...            | guard |
 *   recv   | guard | shift items | output, or input in place ... | guard |
 * </pre>
 */
final class Trial {
    static final int GUARD = 256;
    private static final byte POISON = (byte) 0xa5;

    private final Intracomm comm;
    /** Calls on a stream of the same ranks; null for blocking calls. */
    private final QueuedCalls queued;
    private final int rank;
    private final int n;
    private final TrialMemory send;
    private final TrialMemory recv;
    // What is called.
    private final Collective collective;
    private final TrialType type;
    private final Op op;
    private final int root;
    private final int count;
    private final TrialBlocks blocks;
    private final int shift;
    private final boolean inPlace;
    private final long seed;
    // Where its buffers begin.
    private final int at;
    private ByteBuffer input;
    private ByteBuffer expected;

    /**
     * @param op null if the collective does not reduce
     * @param count items of the vector, or of a block
     * @param shift items between the beginning of the allocations and the buffers, so that buffers are not aligned to
     * more than an item
     */
    Trial(Intracomm comm, QueuedCalls queued, TrialMemory send, TrialMemory recv, Collective collective, TrialType type,
        Op op, int root, int count, int shift, boolean inPlace, long seed)
        throws MPIException {
        this.comm = comm;
        this.queued = queued;
        rank = comm.getRank();
        n = comm.getSize();
        this.send = send;
        this.recv = recv;
        this.collective = collective;
        this.type = type;
        this.op = op;
        this.root = root;
        this.count = count;
        blocks = new TrialBlocks(n, count);
        this.shift = shift;
        this.inPlace = inPlace;
        this.seed = seed;
        at = GUARD + shift * type.extent;
    }

    /** Bytes that each of the two memories must have for blocks of so many bytes. */
    static long memory(int ranks, long blockBytes) {
        return 4 * GUARD + ranks * (blockBytes + 64 * 16);
    }

    static boolean hasInPlace(Collective collective) {
        return collective != Collective.BCAST && collective != Collective.ALLTOALL
            && collective != Collective.ALLTOALLV;
    }

    /** As the {@link org.brigade.select.Ladder} counts bytes. */
    long bytes() {
        int[] counts = collective == Collective.ALLGATHERV || collective == Collective.REDUCE_SCATTER ? blocks.uneven()
            : new int[] {count};
        return (long) Arrays.stream(counts).sum() * type.extent;
    }

    /** Null, or what is wrong on this rank. */
    String run() throws MPIException {
        switch (collective) {
            case BCAST -> bcast();
            case REDUCE, ALLREDUCE, SCAN, EXSCAN -> vector();
            case REDUCE_SCATTER -> reduceScatter();
            case GATHER, GATHERV -> gather();
            case SCATTER, SCATTERV -> scatter();
            case ALLGATHER, ALLGATHERV -> allgather();
            case ALLTOALL, ALLTOALLV -> alltoall();
            default -> throw new IllegalArgumentException(collective.key() + " moves no data");
        }
        return compare();
    }

    private void bcast() throws MPIException {
        prepare(null, items(root, count), count);
        if (rank == root) {
            recv.write(at, expected.duplicate());
        }
        if (queued != null) {
            queued.bcast(recv.at(at), count, type.type, root);
        } else {
            comm.bcast(recv.at(at), count, type.type, root);
        }
    }

    private void vector() throws MPIException {
        boolean all = collective == Collective.ALLREDUCE;
        boolean scan = collective == Collective.SCAN;
        boolean writes = collective == Collective.REDUCE ? rank == root : all || scan || rank > 0;
        int terms = collective == Collective.EXSCAN ? rank : scan ? rank + 1 : n;
        ByteBuffer mine = items(rank, count);
        // In place, reduce takes what is in the receive buffer at the root only; elsewhere it is the send buffer. An
        // exscan leaves rank 0's alone.
        ByteBuffer result =
            writes ? type.folded(seed, terms, count, op) : inPlace && collective != Collective.REDUCE ? mine : null;
        prepareReduced(mine, result, count);
        Object in = send.at(at);
        Object out = recv.at(at);
        if (queued != null) {
            if (all) {
                queued.allReduce(inPlace ? out : in, out, count, type.type, op);
            } else {
                queued.reduce(inPlace && rank == root ? out : in, rank == root ? out : null, count, type.type, op,
                    root);
            }
            return;
        }
        switch (collective) {
            case REDUCE -> {
                if (inPlace) {
                    comm.reduce(rank == root ? out : in, count, type.type, op, root);
                } else {
                    comm.reduce(in, rank == root ? out : null, count, type.type, op, root);
                }
            }
            case ALLREDUCE -> {
                if (inPlace) {
                    comm.allReduce(out, count, type.type, op);
                } else {
                    comm.allReduce(in, out, count, type.type, op);
                }
            }
            case SCAN -> {
                if (inPlace) {
                    comm.scan(out, count, type.type, op);
                } else {
                    comm.scan(in, out, count, type.type, op);
                }
            }
            default -> {
                if (inPlace) {
                    comm.exScan(out, count, type.type, op);
                } else {
                    comm.exScan(in, out, count, type.type, op);
                }
            }
        }
    }

    private void prepareReduced(ByteBuffer mine, ByteBuffer result, int items) {
        boolean placed = inPlace && (collective != Collective.REDUCE || rank == root);
        prepare(placed ? null : mine, result, items);
        if (placed) {
            recv.write(at, mine.duplicate());
        }
    }

    private void reduceScatter() throws MPIException {
        int[] counts = queued != null ? blocks.even() : blocks.uneven();
        int all = Arrays.stream(counts).sum();
        ByteBuffer mine = items(rank, all);
        ByteBuffer whole = type.folded(seed, n, all, op);
        int begin = TrialBlocks.places(counts, 0)[rank];
        ByteBuffer own = part(whole, begin, counts[rank]);
        if (inPlace) {
            // MPI leaves the rest of the buffer open: only the own block is looked at.
            prepare(null, own, counts[rank]);
            recv.write(at, mine.duplicate());
            comm.reduceScatter(recv.at(at), counts, type.type, op);
        } else {
            prepare(mine, own, counts[rank]);
            if (queued != null) {
                queued.reduceScatterBlock(send.at(at), recv.at(at), count, type.type, op);
                return;
            }
            comm.reduceScatter(send.at(at), recv.at(at), counts, type.type, op);
        }
    }

    private void gather() throws MPIException {
        boolean v = collective == Collective.GATHERV;
        int[] counts = v ? blocks.uneven() : blocks.even();
        int[] places = TrialBlocks.places(counts, v ? 1 : 0);
        boolean placed = inPlace && rank == root;
        prepare(placed ? null : items(rank, counts[rank]), rank == root ? gathered(counts, places) : null, places[n]);
        if (placed) {
            recv.write(at + (long) places[rank] * type.extent, items(rank, counts[rank]));
        }
        Object in = send.at(at);
        Object out = rank == root ? recv.at(at) : null;
        if (!v && inPlace) {
            comm.gather(rank == root ? out : in, count, type.type, root);
        } else if (!v) {
            comm.gather(in, count, type.type, out, count, type.type, root);
        } else if (!inPlace) {
            comm.gatherv(in, counts[rank], type.type, out, counts, places(), type.type, root);
        } else if (rank == root) {
            comm.gatherv(out, counts, places(), type.type, root);
        } else {
            comm.gatherv(in, counts[rank], type.type, root);
        }
    }

    private void scatter() throws MPIException {
        boolean v = collective == Collective.SCATTERV;
        int[] counts = v ? blocks.uneven() : blocks.even();
        int[] places = TrialBlocks.places(counts, v ? 1 : 0);
        boolean placed = inPlace && rank == root;
        prepare(rank == root ? items(root, places[n]) : null,
            placed ? null : part(items(root, places[n]), places[rank], counts[rank]), placed ? 0 : counts[rank]);
        Object in = rank == root ? send.at(at) : null;
        Object out = recv.at(at);
        if (!v && inPlace) {
            comm.scatter(rank == root ? in : out, count, type.type, root);
        } else if (!v) {
            comm.scatter(in, count, type.type, out, count, type.type, root);
        } else if (!inPlace) {
            comm.scatterv(in, counts, places(), type.type, out, counts[rank], type.type, root);
        } else if (rank == root) {
            comm.scatterv(in, counts, places(), type.type, root);
        } else {
            comm.scatterv(out, counts[rank], type.type, root);
        }
    }

    private void allgather() throws MPIException {
        boolean v = collective == Collective.ALLGATHERV;
        int[] counts = v ? blocks.uneven() : blocks.even();
        int[] places = TrialBlocks.places(counts, v ? gap() : 0);
        ByteBuffer mine = items(rank, counts[rank]);
        prepare(inPlace ? null : mine, gathered(counts, places), places[n]);
        Object out = recv.at(at);
        if (inPlace) {
            recv.write(at + (long) places[rank] * type.extent, mine);
            if (queued != null) {
                queued.allGather(out, out, count, type.type);
            } else if (v) {
                comm.allGatherv(out, counts, Arrays.copyOf(places, n), type.type);
            } else {
                comm.allGather(out, count, type.type);
            }
        } else if (queued != null) {
            queued.allGather(send.at(at), out, count, type.type);
        } else if (v) {
            comm.allGatherv(send.at(at), counts[rank], type.type, out, counts, Arrays.copyOf(places, n), type.type);
        } else {
            comm.allGather(send.at(at), count, type.type, out, count, type.type);
        }
    }

    private void alltoall() throws MPIException {
        boolean v = collective == Collective.ALLTOALLV;
        int[] from = new int[n];
        for (int peer = 0; peer < n; peer++) {
            from[peer] = v ? blocks.between(peer, rank) : count;
        }
        int[] to = v ? blocks.toEach(rank) : blocks.even();
        int[] recvPlaces = TrialBlocks.places(from, v ? 1 : 0);
        int[] sendPlaces = TrialBlocks.places(to, v ? 1 : 0);
        ByteBuffer result = poisoned(recvPlaces[n]);
        for (int peer = 0; peer < n; peer++) {
            int[] theirs = v ? blocks.toEach(peer) : blocks.even();
            int[] places = TrialBlocks.places(theirs, v ? 1 : 0);
            result.put(recvPlaces[peer] * type.extent, part(items(peer, places[n]), places[rank], from[peer]), 0,
                from[peer] * type.extent);
        }
        prepare(items(rank, sendPlaces[n]), result, recvPlaces[n]);
        if (queued != null) {
            queued.allToAll(send.at(at), recv.at(at), count, type.type);
        } else if (v) {
            comm.allToAllv(send.at(at), to, Arrays.copyOf(sendPlaces, n), type.type, recv.at(at), from,
                Arrays.copyOf(recvPlaces, n), type.type);
        } else {
            comm.allToAll(send.at(at), count, type.type, recv.at(at), count, type.type);
        }
    }

    // ---- places ----

    /** Items between the uneven blocks of an allgather, which some algorithms want side by side. */
    private int gap() {
        return shift == 0 ? 0 : 1;
    }

    /** How the call's buffers lie, as selection sees it. */
    Placement placement() {
        boolean aligned = at % Placement.ALIGNMENT == 0;
        boolean uneven = collective == Collective.ALLGATHERV || collective == Collective.REDUCE_SCATTER;
        if (uneven || collective == Collective.ALLGATHER) {
            int[] counts = uneven ? blocks.uneven() : blocks.even();
            int[] places = TrialBlocks.places(counts, collective == Collective.ALLGATHERV ? gap() : 0);
            for (int i = 0; i < n; i++) {
                aligned &= counts[i] == 0 || (long) places[i] * type.extent % Placement.ALIGNMENT == 0;
            }
            aligned &= collective != Collective.ALLGATHERV || gap() == 0;
        }
        return Placement.of(aligned, inPlace);
    }

    /** Of the uneven blocks, as calls take them. */
    private int[] places() {
        return Arrays.copyOf(TrialBlocks.places(blocks.uneven(), 1), n);
    }

    // ---- data ----

    private ByteBuffer items(int of, int items) {
        return type.items(seed, of, items, op);
    }

    private ByteBuffer part(ByteBuffer of, int begin, int items) {
        return of.slice(begin * type.extent, items * type.extent).order(of.order());
    }

    private ByteBuffer gathered(int[] counts, int[] places) {
        ByteBuffer all = poisoned(places[n]);
        for (int peer = 0; peer < n; peer++) {
            all.put(places[peer] * type.extent, items(peer, counts[peer]), 0, counts[peer] * type.extent);
        }
        return all;
    }

    private ByteBuffer poisoned(int items) {
        return poison(TrialType.bytes(items * type.extent));
    }

    private static ByteBuffer poison(ByteBuffer bytes) {
        for (int i = 0; i < bytes.capacity(); i++) {
            bytes.put(i, POISON);
        }
        return bytes;
    }

    /**
     * Poisons the receive buffer and what is around it, and writes the send buffer. A null result: nothing may be
     * written.
     */
    private void prepare(ByteBuffer sent, ByteBuffer result, int items) {
        input = sent;
        expected = result == null ? poisoned(items) : result;
        recv.write(at - GUARD, poison(TrialType.bytes(items * type.extent + 2 * GUARD)));
        if (sent != null) {
            send.write(at, sent.duplicate());
        }
    }

    private String compare() {
        int length = expected.capacity();
        boolean openEnd = collective == Collective.REDUCE_SCATTER && inPlace;
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
        int items = wanted.capacity() / type.extent;
        for (int item = 0; item < items;) {
            int mismatch = found.slice(item * type.extent, (items - item) * type.extent)
                .mismatch(wanted.slice(item * type.extent, (items - item) * type.extent));
            if (mismatch < 0) {
                return null;
            }
            item += mismatch / type.extent;
            if (!type.same(found, wanted, item * type.extent)) {
                return words() + ": " + what + " item " + item + " is " + type.shown(found, item * type.extent)
                    + ", not " + type.shown(wanted, item * type.extent);
            }
            item++;
        }
        return null;
    }

    /** The call, for messages. */
    String words() {
        return collective.key() + " on rank " + rank + " of " + n + (collective.rooted ? ", root " + root : "") + ", "
            + count + " " + type.name
            + (op == null ? "" : " " + name(op)) + (shift > 0 ? ", " + shift + " items into the allocation" : "")
            + (inPlace ? ", in place" : "");
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

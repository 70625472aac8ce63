package org.brigade.soak;

import java.util.Arrays;
import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import org.brigade.soak.Elements.Kind;

/**
 * Makes random collective calls and compares every element of every result with a plain model: both dialects, arrays
 * and direct buffers, all types, counts of zero to hundreds of thousands, gaps between blocks, several communicators,
 * blocking and not, and messages in between. All ranks draw the same numbers.
 *
 * <p>
 * Arguments: the seed, and the number of calls; 0: without end, after a line that says that it runs. Exit code 3 if a
 * result is wrong.
 */
final class CollectivesProgram {
    private static final int WRONG = 3;
    private static final int MOST_BYTES = 4 << 20;
    private static final String[] CALLS = {"barrier", "bcast", "reduce", "allreduce", "allreduce", "scan", "exscan",
        "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv",
        "reducescatter", "ring", "anybody"};

    private final Random random;
    private final Intracomm[] comms;
    private int step;
    // The call under way.
    private String call;
    private Intracomm comm;
    private int ranks;
    private int me;
    private int root;
    private Kind kind;
    private boolean direct;
    private boolean capital;
    private boolean begun;
    private int sendAt;
    private int recvAt;

    private CollectivesProgram(long seed) throws MPIException {
        random = new Random(seed);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        comms = new Intracomm[] {world, world, world.dup(), world.split(0, -rank), world.split(rank % 2, rank)};
    }

    public static void main(String[] arguments) throws Exception {
        String[] own = MPI.Init(arguments);
        CollectivesProgram program = new CollectivesProgram(Long.parseLong(own[0]));
        int calls = Integer.parseInt(own[1]);
        if (calls == 0 || own.length > 2) {
            System.out.println("rank " + MPI.COMM_WORLD.getRank() + " runs");
        }
        for (program.step = 0; calls == 0 || program.step < calls; program.step++) {
            program.call();
        }
        System.out.println("rank " + MPI.COMM_WORLD.getRank() + ": " + calls + " calls right");
        MPI.Finalize();
    }

    private void call() throws MPIException {
        call = CALLS[random.nextInt(CALLS.length)];
        comm = comms[random.nextInt(comms.length)];
        ranks = comm.getSize();
        me = comm.getRank();
        root = random.nextInt(1 << 16) % ranks;
        kind = Kind.values()[random.nextInt(Kind.values().length)];
        direct = random.nextBoolean();
        capital = random.nextBoolean();
        begun = !capital && direct && random.nextBoolean();
        sendAt = capital ? random.nextInt(4) : 0;
        recvAt = capital ? random.nextInt(4) : 0;
        int n = count();
        switch (call) {
            case "barrier" -> barrier();
            case "bcast" -> bcast(n);
            case "reduce", "allreduce", "scan", "exscan" -> combine(n);
            case "gather", "scatter", "allgather", "alltoall" -> blocks(n);
            case "gatherv", "scatterv", "allgatherv" -> unequalBlocks(n);
            case "alltoallv" -> alltoallv(n);
            case "reducescatter" -> reduceScatter(n);
            default -> messages(n);
        }
    }

    /** Mostly few, seldom as many as fit. */
    private int count() throws MPIException {
        int most = switch (random.nextInt(10)) {
            case 0 -> 1;
            case 1, 2, 3 -> 20;
            case 4, 5, 6 -> 2_000;
            case 7, 8 -> 20_000;
            default -> MOST_BYTES;
        };
        return random.nextInt(Math.min(most, MOST_BYTES / kind.bytes / Math.max(MPI.COMM_WORLD.getSize(), 4)) + 1);
    }

    /** What a rank contributes. */
    private long value(int rank, int index, int mask) {
        long mixed = step * 0x9E3779B97F4A7C15L + rank * 0xBF58476D1CE4E5B9L + index * 0x94D049BB133111EBL;
        return (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L >>> 40 & mask;
    }

    private static final int MASK = 63;

    private Elements empty(int at, int length) {
        return new Elements(kind, at + length + 4, direct);
    }

    private Elements filled(int at, int length, int rank, int mask) {
        Elements elements = empty(at, length);
        for (int i = 0; i < length; i++) {
            elements.set(at + i, value(rank, i, mask));
        }
        return elements;
    }

    private void expect(Elements result, int index, long expected) {
        long got = result.get(index);
        if (got != expected) {
            System.out.println("WRONG: step " + step + ", " + (capital ? "capital " : begun ? "nonblocking " : "")
                + call
                + " of " + kind + (direct ? " in a direct buffer" : "") + " on " + ranks + " ranks, root " + root
                + ": rank " + me + " has " + got + " instead of " + expected + " at " + index + " of " + result.length);
            System.out.flush();
            Runtime.getRuntime().halt(WRONG);
        }
    }

    /** Nothing but these elements is written. */
    private void expectCanaries(Elements result, boolean[] written) {
        for (int i = 0; i < result.length; i++) {
            if (!written[i]) {
                expect(result, i, Elements.CANARY);
            }
        }
    }

    private void expectBlock(Elements result, boolean[] written, int at, int n, int rank, int from) {
        for (int i = 0; i < n; i++) {
            expect(result, at + i, value(rank, from + i, MASK));
            written[at + i] = true;
        }
    }

    private static void await(Request request) throws MPIException {
        request.waitFor();
    }

    private java.nio.Buffer buffer(Elements elements) {
        return (java.nio.Buffer) elements.buffer;
    }

    // ---- the calls ----

    private void barrier() throws MPIException {
        if (capital) {
            comm.Barrier();
        } else if (begun) {
            await(comm.iBarrier());
        } else {
            comm.barrier();
        }
    }

    private void bcast(int n) throws MPIException {
        Elements data = me == root ? filled(recvAt, n, root, MASK) : empty(recvAt, n);
        if (capital) {
            comm.Bcast(data.buffer, recvAt, n, kind.type(), root);
        } else if (begun) {
            await(comm.iBcast(buffer(data), n, kind.type(), root));
        } else {
            comm.bcast(data.buffer, n, kind.type(), root);
        }
        boolean[] written = new boolean[data.length];
        expectBlock(data, written, recvAt, n, root, 0);
        expectCanaries(data, written);
    }

    private void combine(int n) throws MPIException {
        String name = kind.isWhole()
            ? new String[] {"sum", "prod", "max", "min", "bxor", "band", "bor"}[random.nextInt(7)]
            : new String[] {"sum", "prod", "max", "min"}[random.nextInt(4)];
        int mask = name.equals("prod") ? 3 : MASK;
        Op op = op(name);
        boolean inPlace = !capital && !begun && random.nextInt(3) == 0;
        Elements send = filled(sendAt, n, me, mask);
        Elements recv = inPlace ? filled(recvAt, n, me, mask) : empty(recvAt, n);
        switch (call) {
            case "reduce" -> {
                if (capital) {
                    comm.Reduce(send.buffer, sendAt, recv.buffer, recvAt, n, kind.type(), op, root);
                } else if (inPlace) {
                    comm.reduce(recv.buffer, n, kind.type(), op, root);
                } else if (begun) {
                    await(comm.iReduce(buffer(send), buffer(recv), n, kind.type(), op, root));
                } else {
                    comm.reduce(send.buffer, recv.buffer, n, kind.type(), op, root);
                }
            }
            case "allreduce" -> {
                if (capital) {
                    comm.Allreduce(send.buffer, sendAt, recv.buffer, recvAt, n, kind.type(), op);
                } else if (inPlace) {
                    comm.allReduce(recv.buffer, n, kind.type(), op);
                } else if (begun) {
                    await(comm.iAllReduce(buffer(send), buffer(recv), n, kind.type(), op));
                } else {
                    comm.allReduce(send.buffer, recv.buffer, n, kind.type(), op);
                }
            }
            case "scan" -> {
                if (capital) {
                    comm.Scan(send.buffer, sendAt, recv.buffer, recvAt, n, kind.type(), op);
                } else if (inPlace) {
                    comm.scan(recv.buffer, n, kind.type(), op);
                } else {
                    comm.scan(send.buffer, recv.buffer, n, kind.type(), op);
                }
            }
            default -> {
                capital = false;
                recvAt = sendAt = 0;
                send = filled(0, n, me, mask);
                recv = inPlace ? filled(0, n, me, mask) : empty(0, n);
                if (inPlace) {
                    comm.exScan(recv.buffer, n, kind.type(), op);
                } else {
                    comm.exScan(send.buffer, recv.buffer, n, kind.type(), op);
                }
            }
        }
        boolean mine = !call.equals("reduce") || me == root;
        int last = call.equals("scan") ? me : call.equals("exscan") ? me - 1 : ranks - 1;
        boolean[] written = new boolean[recv.length];
        for (int i = 0; i < n && mine && last >= 0; i++) {
            long all = value(0, i, mask);
            for (int rank = 1; rank <= last; rank++) {
                all = combined(name, all, value(rank, i, mask));
            }
            expect(recv, recvAt + i, kind.narrowed(all));
            written[recvAt + i] = true;
        }
        if (!inPlace || mine && last >= 0) {
            expectCanaries(recv, written);
        }
    }

    private static Op op(String name) {
        return switch (name) {
            case "sum" -> MPI.SUM;
            case "prod" -> MPI.PROD;
            case "max" -> MPI.MAX;
            case "min" -> MPI.MIN;
            case "bxor" -> MPI.BXOR;
            case "band" -> MPI.BAND;
            default -> MPI.BOR;
        };
    }

    private static long combined(String name, long a, long b) {
        return switch (name) {
            case "sum" -> a + b;
            case "prod" -> a * b;
            case "max" -> Math.max(a, b);
            case "min" -> Math.min(a, b);
            case "bxor" -> a ^ b;
            case "band" -> a & b;
            default -> a | b;
        };
    }

    private void blocks(int n) throws MPIException {
        boolean spreads = call.equals("scatter") || call.equals("alltoall");
        boolean collects = !call.equals("scatter");
        Elements send = filled(sendAt, spreads ? n * ranks : n, me, MASK);
        Elements recv = empty(recvAt, collects ? n * ranks : n);
        switch (call) {
            case "gather" -> {
                if (capital) {
                    comm.Gather(send.buffer, sendAt, n, kind.type(), recv.buffer, recvAt, n, kind.type(), root);
                } else if (begun) {
                    await(comm.iGather(buffer(send), n, kind.type(), buffer(recv), n, kind.type(), root));
                } else {
                    comm.gather(send.buffer, n, kind.type(), recv.buffer, n, kind.type(), root);
                }
            }
            case "scatter" -> {
                if (capital) {
                    comm.Scatter(send.buffer, sendAt, n, kind.type(), recv.buffer, recvAt, n, kind.type(), root);
                } else if (begun) {
                    await(comm.iScatter(buffer(send), n, kind.type(), buffer(recv), n, kind.type(), root));
                } else {
                    comm.scatter(send.buffer, n, kind.type(), recv.buffer, n, kind.type(), root);
                }
            }
            case "allgather" -> {
                if (capital) {
                    comm.Allgather(send.buffer, sendAt, n, kind.type(), recv.buffer, recvAt, n, kind.type());
                } else if (begun) {
                    await(comm.iAllGather(buffer(send), n, kind.type(), buffer(recv), n, kind.type()));
                } else {
                    comm.allGather(send.buffer, n, kind.type(), recv.buffer, n, kind.type());
                }
            }
            default -> {
                if (capital) {
                    comm.Alltoall(send.buffer, sendAt, n, kind.type(), recv.buffer, recvAt, n, kind.type());
                } else if (begun) {
                    await(comm.iAllToAll(buffer(send), n, kind.type(), buffer(recv), n, kind.type()));
                } else {
                    comm.allToAll(send.buffer, n, kind.type(), recv.buffer, n, kind.type());
                }
            }
        }
        boolean[] written = new boolean[recv.length];
        if (call.equals("scatter")) {
            expectBlock(recv, written, recvAt, n, root, me * n);
        } else if (!call.equals("gather") || me == root) {
            for (int rank = 0; rank < ranks; rank++) {
                expectBlock(recv, written, recvAt + rank * n, n, rank, spreads ? me * n : 0);
            }
        }
        expectCanaries(recv, written);
    }

    /** Where blocks of these lengths lie, with gaps. The last number is the end. */
    private int[] places(int[] counts) {
        int[] places = new int[counts.length + 1];
        for (int i = 0; i < counts.length; i++) {
            places[i] += random.nextInt(3);
            places[i + 1] = places[i] + counts[i];
        }
        return places;
    }

    private int[] counts(int n, int size) {
        int[] counts = new int[size];
        for (int i = 0; i < size; i++) {
            counts[i] = random.nextInt(4) == 0 ? 0 : random.nextInt(n + 1);
        }
        return counts;
    }

    private void unequalBlocks(int n) throws MPIException {
        // For all of the world, so that the halves of a split communicator draw equally often.
        int world = MPI.COMM_WORLD.getSize();
        int[] counts = counts(n, world);
        int[] places = places(counts);
        int mine = counts[me];
        int all = places[world];
        int[] displacements = Arrays.copyOf(places, ranks);
        counts = Arrays.copyOf(counts, ranks);
        boolean scatters = call.equals("scatterv");
        Elements send = filled(sendAt, scatters ? all : mine, me, MASK);
        Elements recv = empty(recvAt, scatters ? mine : all);
        switch (call) {
            case "gatherv" -> {
                if (capital) {
                    comm.Gatherv(send.buffer, sendAt, mine, kind.type(), recv.buffer, recvAt, counts, displacements,
                        kind.type(), root);
                } else {
                    comm.gatherv(send.buffer, mine, kind.type(), recv.buffer, counts, displacements, kind.type(), root);
                }
            }
            case "scatterv" -> {
                if (capital) {
                    comm.Scatterv(send.buffer, sendAt, counts, displacements, kind.type(), recv.buffer, recvAt, mine,
                        kind.type(), root);
                } else {
                    comm.scatterv(send.buffer, counts, displacements, kind.type(), recv.buffer, mine, kind.type(),
                        root);
                }
            }
            default -> {
                if (capital) {
                    comm.Allgatherv(send.buffer, sendAt, mine, kind.type(), recv.buffer, recvAt, counts, displacements,
                        kind.type());
                } else {
                    comm.allGatherv(send.buffer, mine, kind.type(), recv.buffer, counts, displacements, kind.type());
                }
            }
        }
        boolean[] written = new boolean[recv.length];
        if (scatters) {
            expectBlock(recv, written, recvAt, mine, root, displacements[me]);
        } else if (call.equals("allgatherv") || me == root) {
            for (int rank = 0; rank < ranks; rank++) {
                expectBlock(recv, written, recvAt + displacements[rank], counts[rank], rank, 0);
            }
        }
        expectCanaries(recv, written);
    }

    private void alltoallv(int n) throws MPIException {
        int world = MPI.COMM_WORLD.getSize();
        int[][] counts = new int[world][];
        int[][] sendPlaces = new int[world][];
        int[][] recvPlaces = new int[world][];
        for (int rank = 0; rank < world; rank++) {
            counts[rank] = counts(n, world);
        }
        for (int rank = 0; rank < world; rank++) {
            int[] column = new int[world];
            for (int from = 0; from < world; from++) {
                column[from] = counts[from][rank];
            }
            sendPlaces[rank] = places(counts[rank]);
            recvPlaces[rank] = places(column);
        }
        int[] sendCounts = Arrays.copyOf(counts[me], ranks);
        int[] recvCounts = new int[ranks];
        for (int from = 0; from < ranks; from++) {
            recvCounts[from] = counts[from][me];
        }
        int[] from = Arrays.copyOf(sendPlaces[me], ranks);
        int[] to = Arrays.copyOf(recvPlaces[me], ranks);
        Elements send = filled(sendAt, sendPlaces[me][world], me, MASK);
        Elements recv = empty(recvAt, recvPlaces[me][world]);
        if (capital) {
            comm.Alltoallv(send.buffer, sendAt, sendCounts, from, kind.type(), recv.buffer, recvAt, recvCounts, to,
                kind.type());
        } else {
            comm.allToAllv(send.buffer, sendCounts, from, kind.type(), recv.buffer, recvCounts, to, kind.type());
        }
        boolean[] written = new boolean[recv.length];
        for (int rank = 0; rank < ranks; rank++) {
            expectBlock(recv, written, recvAt + to[rank], recvCounts[rank], rank, sendPlaces[rank][me]);
        }
        expectCanaries(recv, written);
    }

    private void reduceScatter(int n) throws MPIException {
        int[] counts = Arrays.copyOf(counts(n, MPI.COMM_WORLD.getSize()), ranks);
        int all = Arrays.stream(counts).sum();
        int before = Arrays.stream(counts, 0, me).sum();
        Elements send = filled(sendAt, all, me, MASK);
        Elements recv = empty(recvAt, counts[me]);
        if (capital) {
            comm.Reduce_scatter(send.buffer, sendAt, recv.buffer, recvAt, counts, kind.type(), MPI.SUM);
        } else {
            comm.reduceScatter(send.buffer, recv.buffer, counts, kind.type(), MPI.SUM);
        }
        boolean[] written = new boolean[recv.length];
        for (int i = 0; i < counts[me]; i++) {
            long sum = 0;
            for (int rank = 0; rank < ranks; rank++) {
                sum += value(rank, before + i, MASK);
            }
            expect(recv, recvAt + i, kind.narrowed(sum));
            written[recvAt + i] = true;
        }
        expectCanaries(recv, written);
    }

    /** Everyone sends to the next rank, and receives from the one before or from anybody. */
    private void messages(int n) throws MPIException {
        int next = (me + 1) % ranks;
        int before = (me + ranks - 1) % ranks;
        int from = call.equals("anybody") ? MPI.ANY_SOURCE : before;
        int tag = random.nextInt(1000);
        boolean synchronous = random.nextInt(3) == 0;
        if (ranks == 1) {
            return; // a blocking send to oneself needs a receive that waits for it
        }
        Elements send = filled(sendAt, n, me, MASK);
        Elements recv = empty(recvAt, n);
        if (capital) {
            Request receiving = comm.Irecv(recv.buffer, recvAt, n, kind.type(), from, tag);
            if (synchronous) {
                comm.Ssend(send.buffer, sendAt, n, kind.type(), next, tag);
            } else {
                comm.Send(send.buffer, sendAt, n, kind.type(), next, tag);
            }
            await(receiving);
        } else if (direct) {
            Request receiving = comm.iRecv(buffer(recv), n, kind.type(), from, tag);
            if (synchronous) {
                comm.sSend(send.buffer, n, kind.type(), next, tag);
            } else {
                comm.send(send.buffer, n, kind.type(), next, tag);
            }
            await(receiving);
        } else if (me % 2 == 0) {
            comm.send(send.buffer, n, kind.type(), next, tag);
            comm.recv(recv.buffer, n, kind.type(), from, tag);
        } else {
            comm.recv(recv.buffer, n, kind.type(), from, tag);
            comm.send(send.buffer, n, kind.type(), next, tag);
        }
        boolean[] written = new boolean[recv.length];
        expectBlock(recv, written, recvAt, n, before, 0);
        expectCanaries(recv, written);
    }
}

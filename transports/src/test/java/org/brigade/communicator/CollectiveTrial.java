package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.communicator.call.Diagnostics;

/**
 * Calls one collective once on every rank and compares the result with the MPI definition, computed by hand. Elements
 * are ints; the contribution of rank r at position i is {@code 1000003 * r + i}. Reductions fold with a function that
 * neither commutes nor forgives a wrong order ({@code 31 * a + b} is not associative, so matrices stand in: see
 * {@link #FOLD}), or with SUM.
 */
final class CollectiveTrial {
    static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);
    static final Reduction SUM = Reduction.predefined(Reduction.Operator.SUM);
    /** Associative, not commutative: an item of two ints is the affine map x -> a x + b, composed left to right. */
    static final TypeLayout MAP = TypeLayout.of("map", ElementKind.INT, 2);
    static final Reduction FOLD = Reduction.user((in, inAt, inout, inoutAt, count) -> {
        for (int i = 0; i < count; i++) {
            int a1 = get(in, inAt + 2 * i);
            int b1 = get(in, inAt + 2 * i + 1);
            int a2 = get(inout, inoutAt + 2 * i);
            int b2 = get(inout, inoutAt + 2 * i + 1);
            put(inout, inoutAt + 2 * i, a1 * a2);
            put(inout, inoutAt + 2 * i + 1, a2 * b1 + b2);
        }
    }, false);

    private final Communicator comm;
    private final int n;
    private final int rank;
    private final int root;
    private final int count;
    private final boolean direct;
    private final boolean inPlace;
    private final boolean blocking;
    private final boolean ordered;
    /** Null: the data is in host memory. */
    private final FakeDevices devices;

    CollectiveTrial(Communicator comm, int root, int count, boolean direct, boolean inPlace, boolean blocking,
        boolean ordered) {
        this(comm, root, count, direct, inPlace, blocking, ordered, null);
    }

    CollectiveTrial(Communicator comm, int root, int count, boolean direct, boolean inPlace, boolean blocking,
        boolean ordered, FakeDevices devices) {
        this.devices = devices;
        this.comm = comm;
        this.n = comm.size();
        this.rank = comm.rank();
        this.root = root;
        this.count = count;
        this.direct = direct;
        this.inPlace = inPlace;
        this.blocking = blocking;
        this.ordered = ordered;
    }

    void run(Collective collective) {
        switch (collective) {
            case BARRIER -> finish(calls(comm).barrier(blocking));
            case BCAST -> bcast();
            case REDUCE -> reduce();
            case ALLREDUCE -> allreduce();
            case SCAN -> scan(false);
            case EXSCAN -> scan(true);
            case GATHER -> gather();
            case SCATTER -> scatter();
            case ALLGATHER -> allgather();
            case ALLGATHERV -> allgatherv();
            case REDUCE_SCATTER -> reduceScatter();
            case ALLTOALL -> alltoall();
            case ALLTOALLV -> alltoallv();
            case GATHERV -> gatherv();
            case SCATTERV -> scatterv();
        }
    }

    private void bcast() {
        Object buffer = rank == root ? filled(root, count) : empty(count);
        finish(calls(comm).bcast(buffer, 0, count, INT, root, blocking));
        expect("bcast", contribution(root, count), buffer, count);
    }

    private void reduce() {
        boolean here = inPlace && rank == root;
        Object recv = here ? filled(rank, count) : rank == root ? empty(count) : null;
        finish(calls(comm).reduce(here ? null : filled(rank, count), 0, recv, 0, items(count), type(), op(), root,
            blocking));
        if (rank == root) {
            expect("reduce", folded(0, n, count), recv, count);
        }
    }

    private void allreduce() {
        Object recv = inPlace ? filled(rank, count) : empty(count);
        finish(calls(comm).allreduce(inPlace ? null : filled(rank, count), 0, recv, 0, items(count), type(), op(),
            blocking));
        expect("allreduce", folded(0, n, count), recv, count);
    }

    private void scan(boolean exclusive) {
        Object recv = inPlace ? filled(rank, count) : empty(count);
        Object send = inPlace ? null : filled(rank, count);
        finish(exclusive ? calls(comm).exscan(send, 0, recv, 0, items(count), type(), op(), blocking)
            : calls(comm).scan(send, 0, recv, 0, items(count), type(), op(), blocking));
        int upTo = exclusive ? rank : rank + 1;
        if (upTo > 0) {
            expect(exclusive ? "exscan" : "scan", folded(0, upTo, count), recv, count);
        }
    }

    private void gather() {
        boolean here = inPlace && rank == root;
        Object recv = rank == root ? empty(n * count) : null;
        if (here) {
            put(recv, rank * count, contribution(rank, count));
        }
        finish(
            calls(comm).gather(here ? null : filled(rank, count), 0, count, INT, recv, 0, count, INT, root, blocking));
        if (rank == root) {
            expect("gather", gathered(even()), recv, n * count);
        }
    }

    private void scatter() {
        boolean here = inPlace && rank == root;
        Object send = rank == root ? filled(0, n * count) : null;
        Object recv = here ? null : empty(count);
        finish(calls(comm).scatter(send, 0, count, INT, recv, 0, count, INT, root, blocking));
        int[] all = contribution(0, n * count);
        if (!here) {
            expect("scatter", Arrays.copyOfRange(all, rank * count, rank * count + count), recv, count);
        }
    }

    private void allgather() {
        Object recv = empty(n * count);
        if (inPlace) {
            put(recv, rank * count, contribution(rank, count));
        }
        finish(
            calls(comm).allgather(inPlace ? null : filled(rank, count), 0, count, INT, recv, 0, count, INT, blocking));
        expect("allgather", gathered(even()), recv, n * count);
    }

    private void allgatherv() {
        int[] counts = uneven();
        int[] places = places(counts, 1);
        int size = places[n];
        Object recv = empty(size);
        if (inPlace) {
            put(recv, places[rank], contribution(rank, counts[rank]));
        }
        finish(calls(comm).allgatherv(inPlace ? null : filled(rank, counts[rank]), 0, counts[rank], INT, recv, 0,
            counts, Arrays.copyOf(places, n), INT, blocking));
        expect("allgatherv", gatheredAt(counts, places, size), recv, size);
    }

    private void gatherv() {
        int[] counts = uneven();
        int[] places = places(counts, 1);
        int size = places[n];
        boolean here = inPlace && rank == root;
        Object recv = rank == root ? empty(size) : null;
        if (here) {
            put(recv, places[rank], contribution(rank, counts[rank]));
        }
        finish(calls(comm).gatherv(here ? null : filled(rank, counts[rank]), 0, counts[rank], INT, recv, 0, counts,
            Arrays.copyOf(places, n), INT, root, blocking));
        if (rank == root) {
            expect("gatherv", gatheredAt(counts, places, size), recv, size);
        }
    }

    private void scatterv() {
        int[] counts = uneven();
        int[] places = places(counts, 1);
        boolean here = inPlace && rank == root;
        Object send = rank == root ? filled(0, places[n]) : null;
        Object recv = here ? null : empty(counts[rank]);
        finish(calls(comm).scatterv(send, 0, counts, Arrays.copyOf(places, n), INT, recv, 0, counts[rank], INT, root,
            blocking));
        if (!here) {
            int[] all = contribution(0, places[n]);
            expect("scatterv", Arrays.copyOfRange(all, places[rank], places[rank] + counts[rank]), recv, counts[rank]);
        }
    }

    private void reduceScatter() {
        int[] counts = uneven();
        int[] places = places(counts, 0);
        int total = places[n];
        Object recv = inPlace ? filled(rank, total) : empty(counts[rank]);
        int[] items = new int[n];
        for (int i = 0; i < n; i++) {
            items[i] = items(counts[i]);
        }
        finish(
            calls(comm).reduceScatter(inPlace ? null : filled(rank, total), 0, recv, 0, items, type(), op(), blocking));
        expect("reduce-scatter", Arrays.copyOfRange(folded(0, n, total), places[rank], places[rank] + counts[rank]),
            recv, counts[rank]);
    }

    private void alltoall() {
        Object recv = inPlace ? filled(rank, n * count) : empty(n * count);
        finish(calls(comm).alltoall(inPlace ? null : filled(rank, n * count), 0, count, INT, recv, 0, count, INT,
            blocking));
        int[] expected = new int[n * count];
        for (int peer = 0; peer < n; peer++) {
            System.arraycopy(contribution(peer, n * count), rank * count, expected, peer * count, count);
        }
        expect("alltoall", expected, recv, n * count);
    }

    private void alltoallv() {
        int[] sendCounts = new int[n];
        int[] recvCounts = new int[n];
        for (int peer = 0; peer < n; peer++) {
            sendCounts[peer] = inPlace ? count : between(rank, peer);
            recvCounts[peer] = inPlace ? count : between(peer, rank);
        }
        int[] sendPlaces = places(sendCounts, 1);
        int[] recvPlaces = places(recvCounts, 1);
        Object recv = inPlace ? filled(rank, recvPlaces[n]) : empty(recvPlaces[n]);
        finish(calls(comm).alltoallv(inPlace ? null : filled(rank, sendPlaces[n]), 0, sendCounts,
            Arrays.copyOf(sendPlaces, n), INT, recv, 0, recvCounts, Arrays.copyOf(recvPlaces, n), INT, blocking));
        int[] expected = inPlace ? contribution(rank, recvPlaces[n]) : filledWith(-7, recvPlaces[n]);
        for (int peer = 0; peer < n; peer++) {
            int[] counts = new int[n];
            for (int other = 0; other < n; other++) {
                counts[other] = inPlace ? count : between(peer, other);
            }
            int[] places = places(counts, 1);
            System.arraycopy(contribution(peer, places[n]), places[rank], expected, recvPlaces[peer], recvCounts[peer]);
        }
        expect("alltoallv", expected, recv, recvPlaces[n]);
    }

    // ---- data ----

    private TypeLayout type() {
        return ordered ? MAP : INT;
    }

    private Reduction op() {
        return ordered ? FOLD : SUM;
    }

    private int items(int ints) {
        return ordered ? ints / 2 : ints;
    }

    private int between(int from, int to) {
        return (count + 3 * from + to) % (count + 2);
    }

    private int[] even() {
        return filledWith(count, n);
    }

    /** Even numbers, so that they hold whole items of {@link #MAP}; some are 0. */
    private int[] uneven() {
        int[] counts = new int[n];
        for (int i = 0; i < n; i++) {
            counts[i] = (count + i * 2) % (count + 3) / 2 * 2;
        }
        return counts;
    }

    private static int[] places(int[] counts, int gap) {
        int[] places = new int[counts.length + 1];
        for (int i = 0; i < counts.length; i++) {
            places[i + 1] = places[i] + counts[i] + gap;
        }
        return places;
    }

    static int[] contribution(int rank, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = 1000003 * rank + i;
        }
        return values;
    }

    private int[] gathered(int[] counts) {
        int[] places = places(counts, 0);
        return gatheredAt(counts, places, places[n]);
    }

    private int[] gatheredAt(int[] counts, int[] places, int size) {
        int[] all = filledWith(-7, size);
        for (int peer = 0; peer < n; peer++) {
            System.arraycopy(contribution(peer, counts[peer]), 0, all, places[peer], counts[peer]);
        }
        return all;
    }

    private int[] folded(int from, int to, int ints) {
        int[] result = contribution(from, ints);
        for (int peer = from + 1; peer < to; peer++) {
            int[] next = contribution(peer, ints);
            if (ordered) {
                FOLD.function.reduce(result, 0, next, 0, ints / 2);
                result = next;
            } else {
                for (int i = 0; i < ints; i++) {
                    result[i] += next[i];
                }
            }
        }
        return result;
    }

    // ---- buffers ----

    private Object filled(int seed, int ints) {
        return buffer(contribution(seed, ints));
    }

    private Object empty(int ints) {
        return buffer(filledWith(-7, ints));
    }

    private Object buffer(int[] values) {
        if (devices != null) {
            FakeMemory memory = devices.allocate(values.length * 4);
            memory.memory().asIntBuffer().put(values);
            return memory;
        }
        if (!direct) {
            return values;
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(values.length * 4).order(ByteOrder.nativeOrder());
        bytes.asIntBuffer().put(values);
        return bytes;
    }

    private static int[] filledWith(int value, int ints) {
        int[] values = new int[ints];
        Arrays.fill(values, value);
        return values;
    }

    private static void put(Object buffer, int at, int[] values) {
        for (int i = 0; i < values.length; i++) {
            put(buffer, at + i, values[i]);
        }
    }

    private static int get(Object buffer, int at) {
        return buffer instanceof int[] array ? array[at]
            : (buffer instanceof FakeMemory device ? device.memory() : (ByteBuffer) buffer).getInt(at * 4);
    }

    private static void put(Object buffer, int at, int value) {
        if (buffer instanceof int[] array) {
            array[at] = value;
        } else {
            (buffer instanceof FakeMemory device ? device.memory() : (ByteBuffer) buffer).putInt(at * 4, value);
        }
    }

    private void expect(String what, int[] expected, Object buffer, int ints) {
        for (int i = 0; i < ints; i++) {
            int found = get(buffer, i);
            if (found != expected[i]) {
                assertEquals(expected[i], found,
                    what + " with " + Diagnostics.lastAlgorithm() + " on rank " + rank + " of " + n + ", root " + root
                        + ", " + count + " ints"
                        + (devices != null ? ", on a device" : direct ? ", direct" : "") + (inPlace ? ", in place" : "")
                        + (blocking ? "" : ", nonblocking") + (ordered ? ", ordered op" : "") + ": element " + i);
            }
        }
    }

    private void finish(Operation operation) {
        if (operation != null) {
            operation.await();
        }
    }
}

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
import org.brigade.verify.SampleCall;

/**
 * Calls one collective once on every rank and compares the result with MPI's definition. Elements are ints; the
 * contribution of rank r at position i is {@code 1000003 * r + i}. Reductions fold with a function that neither
 * commutes nor forgives a wrong order ({@code 31 * a + b} is not associative, so matrices stand in: see {@link #FOLD}),
 * or with SUM.
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
        if (collective == Collective.BARRIER) {
            finish(calls(comm).barrier(blocking));
            return;
        }
        int width = width();
        SampleCall call = new SampleCall(collective, n, root, count / width, 1, inPlace, false);
        int[] sent = call.sent(rank);
        int[] received = call.received(rank);
        boolean isRoot = rank == root;
        boolean inRecv = call.inReceiveBuffer(rank);
        boolean sends = !inRecv && (!collective.scatters() || isRoot);
        boolean receives = collective.scatters() ? !isRoot || !inPlace
            : !collective.rooted || isRoot || collective == Collective.BCAST;
        int[] mine = contribution(rank, width * call.items(sent));
        int[] expected = filledWith(-7, width * call.items(received));
        int[] initial = expected.clone();
        if (inRecv) {
            int place = width * call.ownPlace(rank);
            initial = Arrays.copyOf(expected, Math.max(expected.length, place + mine.length));
            System.arraycopy(mine, 0, initial, place, mine.length);
            expected = Arrays.copyOf(initial, expected.length);
        }
        Object send = sends ? buffer(mine) : null;
        Object recv = receives ? buffer(initial) : null;
        finish(start(collective, send, sent, Arrays.copyOf(call.places(sent), sent.length), recv, received,
            Arrays.copyOf(call.places(received), received.length)));
        if (receives) {
            int[] result = expected;
            call.result(rank, (at, source, terms, first, items) -> {
                int end = width * (first + items);
                int[] all = collective.reduces ? folded(terms, end) : contribution(source, end);
                System.arraycopy(all, width * first, result, width * at, width * items);
            });
            expect(collective.key(), result, recv);
        }
    }

    private Operation start(Collective collective, Object send, int[] sent, int[] from, Object recv, int[] received,
        int[] to) {
        CollectiveCalls calls = calls(comm);
        return switch (collective) {
            case BCAST -> calls.bcast(recv, 0, count, INT, root, blocking);
            case REDUCE -> calls.reduce(send, 0, recv, 0, sent[0], type(), op(), root, blocking);
            case ALLREDUCE -> calls.allreduce(send, 0, recv, 0, sent[0], type(), op(), blocking);
            case SCAN -> calls.scan(send, 0, recv, 0, sent[0], type(), op(), blocking);
            case EXSCAN -> calls.exscan(send, 0, recv, 0, sent[0], type(), op(), blocking);
            case REDUCE_SCATTER -> calls.reduceScatter(send, 0, recv, 0, sent, type(), op(), blocking);
            case GATHER -> calls.gather(send, 0, count, INT, recv, 0, count, INT, root, blocking);
            case SCATTER -> calls.scatter(send, 0, count, INT, recv, 0, count, INT, root, blocking);
            case ALLGATHER -> calls.allgather(send, 0, count, INT, recv, 0, count, INT, blocking);
            case ALLTOALL -> calls.alltoall(send, 0, count, INT, recv, 0, count, INT, blocking);
            case GATHERV -> calls.gatherv(send, 0, sent[0], INT, recv, 0, received, to, INT, root, blocking);
            case SCATTERV -> calls.scatterv(send, 0, sent, from, INT, recv, 0, received[0], INT, root, blocking);
            case ALLGATHERV -> calls.allgatherv(send, 0, sent[0], INT, recv, 0, received, to, INT, blocking);
            case ALLTOALLV -> calls.alltoallv(send, 0, sent, from, INT, recv, 0, received, to, INT, blocking);
            case BARRIER -> throw new AssertionError();
        };
    }

    // ---- data ----

    private TypeLayout type() {
        return ordered ? MAP : INT;
    }

    private Reduction op() {
        return ordered ? FOLD : SUM;
    }

    /** Ints of an item. */
    private int width() {
        return ordered ? 2 : 1;
    }

    static int[] contribution(int rank, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = 1000003 * rank + i;
        }
        return values;
    }

    private int[] folded(int ranks, int ints) {
        int[] result = contribution(0, ints);
        for (int peer = 1; peer < ranks; peer++) {
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

    private void expect(String what, int[] expected, Object buffer) {
        for (int i = 0; i < expected.length; i++) {
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

package org.brigade.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Counts;
import mpi.spi.ElementKind;
import mpi.spi.Extent;
import mpi.spi.Operand;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.pattern.Neighbourhoods;
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

    /** The bytes by which an algorithm is chosen for a trial with this count. */
    static long bytes(Collective collective, int ranks, int count) {
        if (collective.counts != Counts.SHARED) {
            return 4L * count;
        }
        SampleCall call = new SampleCall(collective, ranks, 0, count, 1, false, false);
        return 4L * call.items(collective == Collective.REDUCE_SCATTER ? call.sent(0) : call.received(0));
    }

    void run(Collective collective) {
        if (collective == Collective.BARRIER) {
            finish(comm.start(new Call(rank, n).begin(collective, blocking)));
            return;
        }
        int width = width();
        boolean inPlace = this.inPlace && !collective.amongNeighbours();
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
        finish(start(new Call(rank, n).begin(collective, blocking), send, sent,
            Arrays.copyOf(call.places(sent), sent.length), recv, received,
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

    private Operation start(Call call, Object send, int[] sent, int[] from, Object recv, int[] received, int[] to) {
        Collective collective = call.collective;
        if (collective.rooted) {
            call.root(root);
        }
        if (collective.reduces) {
            call.reduction(type(), op());
        }
        if (collective.amongNeighbours()) {
            call.neighbours(new Neighbourhoods.Ring(n).of(rank));
        }
        if (recv != null) {
            describe(call, call.recv, collective.recv, recv, received, to);
        }
        if (collective.send == Extent.NONE) { // the root of a bcast has its data in recv
            return comm.start(call);
        }
        if (send != null || collective == Collective.REDUCE_SCATTER) {
            describe(call, call.send, collective.send, send, sent, from);
        }
        if ((collective.scatters() ? recv : send) == null) {
            call.inPlace();
        }
        return comm.start(call);
    }

    private void describe(Call call, Operand operand, Extent extent, Object buffer, int[] counts, int[] places) {
        TypeLayout type = type();
        if (extent == Extent.VECTOR) {
            operand.vector(buffer, 0, counts[0], type.extent);
            call.extent = type.extent;
        } else if (extent == Extent.OWN) {
            operand.own(buffer, 0, (long) counts[0] * type.extent);
        } else if (call.collective.counts == Counts.EQUAL) {
            operand.each(buffer, 0, (long) counts[0] * type.extent, n);
        } else {
            operand.listed(buffer, 0, counts, places, type.extent, counts.length);
        }
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

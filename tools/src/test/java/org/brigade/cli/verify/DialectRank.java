package org.brigade.cli.verify;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.spi.Collective;
import org.brigade.cli.shared.UserCall;
import org.brigade.verify.SampleCall;

/**
 * A rank that calls all collectives of both dialects, as a user does: with Java arrays (with ByteBuffers for pairs of
 * two kinds), every datatype, every operation that it has, every rank as root; and compares all results with the
 * definition. In the capital dialect what is meant begins at an offset.
 */
public final class DialectRank {
    private static final int COUNT = 37;
    private static final int OFFSET = 3;
    /** In bytes, for buffers of pairs, which have to be aligned. */
    private static final int PAIR_OFFSET = 16;

    private final Intracomm world = MPI.COMM_WORLD;
    private final Intracomm ring;
    private final int rank = world.getRank();
    private final int ranks = world.getSize();
    private final boolean capital;
    private final TrialType type;
    private final Datatype t;
    private final int offset;
    private long seed;

    private DialectRank(Intracomm ring, boolean capital, TrialType type) throws MPIException {
        this.ring = ring;
        this.capital = capital;
        this.type = type;
        t = type.type();
        offset = !capital ? 0 : array(TrialType.bytes(0)).getClass().isArray() ? OFFSET : PAIR_OFFSET;
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        Intracomm ring = UserCall.communicator(Collective.NEIGHBOR_ALLTOALL, MPI.COMM_WORLD);
        for (TrialType type : TrialType.ALL) {
            for (boolean capital : new boolean[] {false, true}) {
                DialectRank trial = new DialectRank(ring, capital, type);
                trial.calls(null);
                for (Op op : type.operations()) {
                    trial.calls(op);
                }
            }
        }
        System.out.println("rank " + MPI.COMM_WORLD.getRank() + ": both dialects are right");
        MPI.Finalize();
    }

    // ---- calls ----

    /** @param op null for the collectives that do not reduce */
    private void calls(Op op) throws MPIException {
        for (Collective collective : Collective.values()) {
            if (collective == Collective.BARRIER) {
                barrier();
            } else if (collective.reduces == (op != null) && !(capital && camelOnly(collective))) {
                call(new SampleCall(collective, ranks, (int) (++seed % ranks), COUNT, 1, false, false), op);
            }
        }
        if (op != null && !capital) {
            call(new SampleCall(Collective.REDUCE_SCATTER, ranks, -1, COUNT, 0, false, true), op);
        }
    }

    private static boolean camelOnly(Collective collective) {
        return collective == Collective.EXSCAN || collective.amongNeighbours();
    }

    private void barrier() throws MPIException {
        if (capital) {
            world.Barrier();
        } else {
            world.barrier();
        }
    }

    private void call(SampleCall call, Op op) throws MPIException {
        int[] sent = call.sent(rank);
        int[] received = call.received(rank);
        Object in = array(type.items(seed, rank, call.items(sent), op));
        Object out = call.inReceiveBuffer(rank) ? in : array(TrialType.bytes(call.items(received) * type.extent()));
        int[] sendPlaces = Arrays.copyOf(call.places(sent), sent.length);
        int[] recvPlaces = Arrays.copyOf(call.places(received), received.length);
        int root = call.root();
        if (!capital && call.even()) {
            world.reduceScatterBlock(in, out, COUNT, t, op);
        } else if (!capital) {
            new UserCall(call.collective(), in, sent, sendPlaces, out, received, recvPlaces, t, op, root, false)
                .run(call.collective().amongNeighbours() ? ring : world);
        } else {
            switch (call.collective()) {
                case BCAST -> world.Bcast(out, offset, COUNT, t, root);
                case GATHER -> world.Gather(in, offset, COUNT, t, out, offset, COUNT, t, root);
                case GATHERV ->
                    world.Gatherv(in, offset, sent[0], t, out, offset, received, recvPlaces, t, root);
                case SCATTER -> world.Scatter(in, offset, COUNT, t, out, offset, COUNT, t, root);
                case SCATTERV ->
                    world.Scatterv(in, offset, sent, sendPlaces, t, out, offset, received[0], t, root);
                case ALLGATHER -> world.Allgather(in, offset, COUNT, t, out, offset, COUNT, t);
                case ALLGATHERV -> world.Allgatherv(in, offset, sent[0], t, out, offset, received, recvPlaces, t);
                case ALLTOALL -> world.Alltoall(in, offset, COUNT, t, out, offset, COUNT, t);
                case ALLTOALLV ->
                    world.Alltoallv(in, offset, sent, sendPlaces, t, out, offset, received, recvPlaces, t);
                case REDUCE -> world.Reduce(in, offset, out, offset, COUNT, t, op, root);
                case ALLREDUCE -> world.Allreduce(in, offset, out, offset, COUNT, t, op);
                case SCAN -> world.Scan(in, offset, out, offset, COUNT, t, op);
                case REDUCE_SCATTER -> world.Reduce_scatter(in, offset, out, offset, sent, t, op);
                default -> throw new AssertionError(call);
            }
        }
        ByteBuffer expected = TrialType.bytes(call.items(received) * type.extent());
        type.result(call, rank, seed, op, expected);
        check(call.collective().key(), expected, out);
    }

    private void check(String call, ByteBuffer expected, Object buffer) {
        String what = "rank " + rank + " of " + ranks + ", " + (capital ? "capital " : "camel ") + call + " of "
            + type.name() + ": ";
        ByteBuffer came = bytes(buffer, expected.capacity());
        for (int at = 0; at < expected.capacity(); at += type.extent()) {
            if (!type.same(came, expected, at)) {
                throw new AssertionError(what + "item " + at / type.extent() + " is " + type.shown(came, at) + ", not "
                    + type.shown(expected, at));
            }
        }
        for (int i = 0; i < offset && buffer.getClass().isArray(); i++) {
            Object before = Array.get(buffer, i);
            if (!(before instanceof Number number ? number.doubleValue() == 0
                : before.equals('\0') || before.equals(false))) {
                throw new AssertionError(what + "element " + i + " in front of the buffer is " + before);
            }
        }
    }

    // ---- Java arrays ----

    /** A fresh array of these items, behind {@link #offset} zeros. */
    private Object array(ByteBuffer items) {
        int bytes = items.capacity();
        switch (type.name()) {
            case "byte" -> {
                byte[] array = new byte[offset + bytes];
                items.get(0, array, offset, bytes);
                return array;
            }
            case "boolean" -> {
                boolean[] array = new boolean[offset + bytes];
                for (int i = 0; i < bytes; i++) {
                    array[offset + i] = items.get(i) != 0;
                }
                return array;
            }
            case "char" -> {
                char[] array = new char[offset + bytes / 2];
                items.asCharBuffer().get(0, array, offset, bytes / 2);
                return array;
            }
            case "short", "short2", "float16", "bfloat16" -> {
                short[] array = new short[offset + bytes / 2];
                items.asShortBuffer().get(0, array, offset, bytes / 2);
                return array;
            }
            case "int", "int2" -> {
                int[] array = new int[offset + bytes / 4];
                items.asIntBuffer().get(0, array, offset, bytes / 4);
                return array;
            }
            case "long", "long2" -> {
                long[] array = new long[offset + bytes / 8];
                items.asLongBuffer().get(0, array, offset, bytes / 8);
                return array;
            }
            case "float", "float2", "float-complex" -> {
                float[] array = new float[offset + bytes / 4];
                items.asFloatBuffer().get(0, array, offset, bytes / 4);
                return array;
            }
            case "double", "double2", "double-complex" -> {
                double[] array = new double[offset + bytes / 8];
                items.asDoubleBuffer().get(0, array, offset, bytes / 8);
                return array;
            }
            default -> {
                return TrialType.bytes(offset + bytes).put(offset, items, 0, bytes);
            }
        }
    }

    /** The items of such an array. */
    private ByteBuffer bytes(Object buffer, int bytes) {
        ByteBuffer items = TrialType.bytes(bytes);
        if (buffer instanceof byte[] array) {
            items.put(0, array, offset, bytes);
        } else if (buffer instanceof boolean[] array) {
            for (int i = 0; i < bytes; i++) {
                items.put(i, (byte) (array[offset + i] ? 1 : 0));
            }
        } else if (buffer instanceof char[] array) {
            items.asCharBuffer().put(0, array, offset, bytes / 2);
        } else if (buffer instanceof short[] array) {
            items.asShortBuffer().put(0, array, offset, bytes / 2);
        } else if (buffer instanceof int[] array) {
            items.asIntBuffer().put(0, array, offset, bytes / 4);
        } else if (buffer instanceof long[] array) {
            items.asLongBuffer().put(0, array, offset, bytes / 8);
        } else if (buffer instanceof float[] array) {
            items.asFloatBuffer().put(0, array, offset, bytes / 4);
        } else if (buffer instanceof double[] array) {
            items.asDoubleBuffer().put(0, array, offset, bytes / 8);
        } else {
            items.put(0, (ByteBuffer) buffer, offset, bytes);
        }
        return items;
    }
}

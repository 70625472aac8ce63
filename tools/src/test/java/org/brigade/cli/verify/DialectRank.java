package org.brigade.cli.verify;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;

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
    private final int rank = world.getRank();
    private final int ranks = world.getSize();
    private final TrialBlocks blocks = new TrialBlocks(ranks, COUNT);
    private final boolean capital;
    private final TrialType type;
    private final Datatype t;
    private final int offset;
    private long seed;

    private DialectRank(boolean capital, TrialType type) throws MPIException {
        this.capital = capital;
        this.type = type;
        t = type.type;
        offset = !capital ? 0 : array(0).getClass().isArray() ? OFFSET : PAIR_OFFSET;
    }

    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        for (TrialType type : TrialType.ALL) {
            for (boolean capital : new boolean[] {false, true}) {
                DialectRank trial = new DialectRank(capital, type);
                trial.moves();
                for (Op op : type.operations) {
                    trial.reductions(op);
                }
            }
        }
        System.out.println("rank " + MPI.COMM_WORLD.getRank() + ": both dialects are right");
        MPI.Finalize();
    }

    // ---- calls ----

    private void moves() throws MPIException {
        int root = (int) (++seed % ranks);
        Object buf = rank == root ? array(items(root, COUNT)) : array(COUNT);
        if (capital) {
            world.Barrier();
            world.Bcast(buf, offset, COUNT, t, root);
        } else {
            world.barrier();
            world.bcast(buf, COUNT, t, root);
        }
        check("bcast", items(root, COUNT), buf);
        evenBlocks(root);
        unevenBlocks(root);
    }

    private void evenBlocks(int root) throws MPIException {
        Object mine = array(items(rank, COUNT));
        Object all = array(ranks * COUNT);
        Object block = array(COUNT);
        ByteBuffer gathered = joined(-1, COUNT);
        if (capital) {
            world.Gather(mine, offset, COUNT, t, all, offset, COUNT, t, root);
        } else {
            world.gather(mine, COUNT, t, all, COUNT, t, root);
        }
        check("gather", rank == root ? gathered : TrialType.bytes(ranks * COUNT * type.extent), all);
        if (capital) {
            world.Scatter(array(gathered), offset, COUNT, t, block, offset, COUNT, t, root);
        } else {
            world.scatter(array(gathered), COUNT, t, block, COUNT, t, root);
        }
        check("scatter", items(rank, COUNT), block);
        all = array(ranks * COUNT);
        if (capital) {
            world.Allgather(mine, offset, COUNT, t, all, offset, COUNT, t);
        } else {
            world.allGather(mine, COUNT, t, all, COUNT, t);
        }
        check("allgather", gathered, all);
        all = array(ranks * COUNT);
        Object out = array(joined(rank, COUNT));
        if (capital) {
            world.Alltoall(out, offset, COUNT, t, all, offset, COUNT, t);
        } else {
            world.allToAll(out, COUNT, t, all, COUNT, t);
        }
        ByteBuffer expected = TrialType.bytes(ranks * COUNT * type.extent);
        for (int from = 0; from < ranks; from++) {
            expected.put(from * COUNT * type.extent, items(from * ranks + rank, COUNT), 0, COUNT * type.extent);
        }
        check("alltoall", expected, all);
    }

    /** Blocks of each rank's own length, with a gap of one item in front of each. */
    private void unevenBlocks(int root) throws MPIException {
        int[] counts = blocks.uneven();
        int[] places = new int[ranks];
        int end = 0;
        for (int i = 0; i < ranks; i++) {
            places[i] = end + 1;
            end = places[i] + counts[i];
        }
        ByteBuffer spread = TrialType.bytes(end * type.extent);
        for (int from = 0; from < ranks; from++) {
            spread.put(places[from] * type.extent, items(from, counts[from]), 0, counts[from] * type.extent);
        }
        Object mine = array(items(rank, counts[rank]));
        Object all = array(end);
        if (capital) {
            world.Gatherv(mine, offset, counts[rank], t, all, offset, counts, places, t, root);
        } else {
            world.gatherv(mine, counts[rank], t, all, counts, places, t, root);
        }
        check("gatherv", rank == root ? spread : TrialType.bytes(end * type.extent), all);
        Object block = array(counts[rank]);
        if (capital) {
            world.Scatterv(array(spread), offset, counts, places, t, block, offset, counts[rank], t, root);
        } else {
            world.scatterv(array(spread), counts, places, t, block, counts[rank], t, root);
        }
        check("scatterv", items(rank, counts[rank]), block);
        all = array(end);
        if (capital) {
            world.Allgatherv(mine, offset, counts[rank], t, all, offset, counts, places, t);
        } else {
            world.allGatherv(mine, counts[rank], t, all, counts, places, t);
        }
        check("allgatherv", spread, all);
        // Everyone sends to each as many items as that one's block has.
        Object received = array(ranks * counts[rank]);
        int[] each = new int[ranks];
        int[] at = new int[ranks];
        ByteBuffer expected = TrialType.bytes(ranks * counts[rank] * type.extent);
        for (int from = 0; from < ranks; from++) {
            each[from] = counts[rank];
            at[from] = from * counts[rank];
            expected.put(at[from] * type.extent, items(rank, counts[rank]), 0, counts[rank] * type.extent);
        }
        if (capital) {
            world.Alltoallv(array(spread), offset, counts, places, t, received, offset, each, at, t);
        } else {
            world.allToAllv(array(spread), counts, places, t, received, each, at, t);
        }
        check("alltoallv", expected, received);
    }

    private void reductions(Op op) throws MPIException {
        int root = (int) (++seed % ranks);
        Object mine = array(type.items(seed, rank, COUNT, op));
        ByteBuffer folded = type.folded(seed, ranks, COUNT, op);
        Object result = array(COUNT);
        if (capital) {
            world.Reduce(mine, offset, result, offset, COUNT, t, op, root);
        } else {
            world.reduce(mine, result, COUNT, t, op, root);
        }
        check("reduce", rank == root ? folded : TrialType.bytes(COUNT * type.extent), result);
        result = array(COUNT);
        if (capital) {
            world.Allreduce(mine, offset, result, offset, COUNT, t, op);
        } else {
            world.allReduce(mine, result, COUNT, t, op);
        }
        check("allreduce", folded, result);
        result = array(COUNT);
        if (capital) {
            world.Scan(mine, offset, result, offset, COUNT, t, op);
        } else {
            world.scan(mine, result, COUNT, t, op);
            Object before = array(COUNT);
            world.exScan(mine, before, COUNT, t, op);
            check("exScan", rank == 0 ? TrialType.bytes(COUNT * type.extent) : type.folded(seed, rank, COUNT, op),
                before);
        }
        check("scan", type.folded(seed, rank + 1, COUNT, op), result);
        int[] counts = new int[ranks];
        int left = COUNT;
        for (int i = 0; i < ranks; i++) {
            counts[i] = i == ranks - 1 ? left : Math.min(left, 2 * i);
            left -= counts[i];
        }
        int begin = 0;
        for (int i = 0; i < rank; i++) {
            begin += counts[i];
        }
        result = array(counts[rank]);
        if (capital) {
            world.Reduce_scatter(mine, offset, result, offset, counts, t, op);
        } else {
            world.reduceScatter(mine, result, counts, t, op);
            Object block = array(COUNT / ranks);
            world.reduceScatterBlock(mine, block, COUNT / ranks, t, op);
            check("reduceScatterBlock", part(folded, rank * (COUNT / ranks), COUNT / ranks), block);
        }
        check("reduce-scatter", part(folded, begin, counts[rank]), result);
    }

    // ---- what is sent and expected ----

    private ByteBuffer items(int from, int count) {
        return type.items(seed, from, count, null);
    }

    /** One block for each rank: its own, or what {@code from} has for it. */
    private ByteBuffer joined(int from, int count) {
        ByteBuffer all = TrialType.bytes(ranks * count * type.extent);
        for (int i = 0; i < ranks; i++) {
            all.put(i * count * type.extent, items(from < 0 ? i : from * ranks + i, count), 0, count * type.extent);
        }
        return all;
    }

    private ByteBuffer part(ByteBuffer whole, int from, int count) {
        ByteBuffer part = TrialType.bytes(count * type.extent);
        return part.put(0, whole, from * type.extent, count * type.extent);
    }

    private void check(String call, ByteBuffer expected, Object buffer) {
        String what = "rank " + rank + " of " + ranks + ", " + (capital ? "capital " : "camel ") + call + " of "
            + type.name + ": ";
        ByteBuffer came = bytes(buffer, expected.capacity());
        for (int at = 0; at < expected.capacity(); at += type.extent) {
            if (!type.same(came, expected, at)) {
                throw new AssertionError(what + "item " + at / type.extent + " is " + type.shown(came, at) + ", not "
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

    private Object array(int count) {
        return array(TrialType.bytes(count * type.extent));
    }

    /** A fresh array of these items, behind {@link #offset} zeros. */
    private Object array(ByteBuffer items) {
        int bytes = items.capacity();
        switch (type.name) {
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

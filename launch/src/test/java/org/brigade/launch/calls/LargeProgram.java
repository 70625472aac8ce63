package org.brigade.launch.calls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.Random;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.PartitionedRequest;
import mpi.Status;

/** What the two ranks of {@link LargeJobsTest} run: calls that move more than 2^31 bytes each. */
final class LargeProgram {
    /** Longs, a little more than 2^31 bytes. */
    private static final int COUNT = 270_000_000;

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private LargeProgram() {
    }

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        int rank = WORLD.getRank();
        switch (arguments[0]) {
            case "arrays" -> arrays(rank);
            case "reductions" -> reductions(rank);
            case "blocks" -> blocks(rank);
            case "derived" -> derived(rank);
            case "direct" -> direct(rank);
            case "objects" -> objects(rank);
            case "manyObjects" -> manyObjects(rank);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.out.println("rank " + rank + " passed");
        MPI.Finalize();
    }

    private static void same(Object expected, Object found, String what) {
        if (!expected.equals(found)) {
            throw new AssertionError(what + ": " + found + " instead of " + expected);
        }
    }

    private static void fill(long[] data, long seed) {
        Arrays.setAll(data, i -> seed * 1_000_000_007L + i);
    }

    private static void check(long[] data, int from, int count, long seed, String what) {
        for (int i = 0; i < count; i++) {
            if (data[from + i] != seed * 1_000_000_007L + i) {
                throw new AssertionError(what + ": element " + i + " of " + count + " is " + data[from + i]);
            }
        }
    }

    /** One array in turn: sent in both dialects, broadcast, and in partitions. */
    private static void arrays(int rank) throws MPIException {
        long[] data = new long[COUNT];
        if (rank == 0) {
            fill(data, 1);
            WORLD.send(data, COUNT, MPI.LONG, 1, 1);
            same(COUNT, WORLD.recv(data, COUNT, MPI.LONG, 1, 2).getCount(MPI.LONG), "count");
            check(data, 0, COUNT, 2, "Send");
        } else {
            Status status = WORLD.probe(0, 1);
            same(COUNT, status.getCount(MPI.LONG), "probed count");
            same(8L * COUNT, status.getElementsX(MPI.BYTE).getCount(), "bytes");
            status = WORLD.recv(data, COUNT, MPI.LONG, 0, 1);
            same(COUNT, status.getCount(MPI.LONG), "count");
            same(MPI.UNDEFINED, status.getCount(MPI.BYTE), "a count that no int holds");
            check(data, 0, COUNT, 1, "send");
            fill(data, 2);
            WORLD.Send(data, 0, COUNT, MPI.LONG, 0, 2);
        }
        if (rank == 1) {
            fill(data, 3);
        }
        WORLD.bcast(data, COUNT, MPI.LONG, 1);
        check(data, 0, COUNT, 3, "bcast");
        fill(data, rank);
        PartitionedRequest part = rank == 0 ? WORLD.pSendInit(data, 2, COUNT / 2, MPI.LONG, 1, 0, null)
            : WORLD.pRecvInit(data, 3, COUNT / 3, MPI.LONG, 0, 0, null);
        part.start();
        if (rank == 0) {
            part.pReadyRange(0, 1);
        }
        part.waitFor();
        check(data, 0, COUNT, 0, "partitions");
    }

    private static void reductions(int rank) throws MPIException {
        double[] data = new double[COUNT];
        Arrays.setAll(data, i -> i + rank);
        WORLD.allReduce(data, COUNT, MPI.DOUBLE, MPI.SUM);
        for (int i = 0; i < COUNT; i++) {
            same(2.0 * i + 1 == data[i], true, "allReduce");
        }
        Arrays.setAll(data, i -> i + rank);
        WORLD.reduce(data, COUNT, MPI.DOUBLE, MPI.MAX, 1);
        for (int i = 0; rank == 1 && i < COUNT; i++) {
            same(i + 1.0 == data[i], true, "reduce");
        }
    }

    /** Each rank's block is small enough; all of them are not. */
    private static void blocks(int rank) throws MPIException {
        int half = COUNT / 2;
        long[] mine = new long[half];
        long[] all = new long[2 * half];
        fill(mine, rank);
        WORLD.Allgather(mine, 0, half, MPI.LONG, all, 0, half, MPI.LONG);
        check(all, 0, half, 0, "Allgather");
        check(all, half, half, 1, "Allgather");
        Arrays.fill(all, 0);
        WORLD.gather(mine, half, MPI.LONG, all, half, MPI.LONG, 1);
        if (rank == 1) {
            check(all, 0, half, 0, "gather");
            check(all, half, half, 1, "gather");
        }
        Arrays.fill(mine, 0);
        WORLD.Scatterv(all, 0, new int[] {half, half}, new int[] {0, half}, MPI.LONG, mine, 0, half, MPI.LONG, 1);
        check(mine, 0, half, rank, "Scatterv");
        int quarter = half / 2;
        fill(all, rank);
        long[] in = new long[2 * half];
        WORLD.allToAll(all, half, MPI.LONG, in, half, MPI.LONG);
        for (int i = 0; i < quarter; i++) {
            same((long) rank * half + i == in[i], true, "allToAll from 0");
            same(1_000_000_007L + (long) rank * half + i == in[half + i], true, "allToAll from 1");
        }
    }

    /** Three of four elements, as items of 24 bytes and of 24,000. */
    private static void derived(int rank) throws MPIException {
        int rows = COUNT / 3;
        Datatype row = Datatype.createResized(Datatype.createContiguous(3, MPI.LONG), 0, 4 * Long.BYTES);
        Datatype rowsOfLongs = Datatype.createContiguous(1000, row);
        rowsOfLongs.commit();
        row.commit();
        long[] data = new long[4 * rows];
        if (rank == 0) {
            fill(data, 1);
            WORLD.send(data, rows, row, 1, 1);
        } else {
            same(rows, WORLD.recv(data, rows, row, 0, 1).getCount(row), "count");
            for (int i = 0; i < data.length; i++) {
                same(data[i] == (i % 4 == 3 ? 0 : 1_000_000_007L + i), true, "derived");
            }
        }
        Arrays.setAll(data, i -> rank == 1 ? i : -1);
        WORLD.bcast(data, rows / 1000, rowsOfLongs, 1);
        for (int i = 0; i < data.length; i++) {
            same(data[i] == (rank == 0 && i % 4 == 3 ? -1 : i), true, "bcast of derived items");
        }
    }

    private static void direct(int rank) throws MPIException {
        // A ByteBuffer has less than 2 GiB, so this buffer is as long as one can be.
        LongBuffer data =
            ByteBuffer.allocateDirect(Integer.MAX_VALUE - 7).order(ByteOrder.nativeOrder()).asLongBuffer();
        int count = data.capacity();
        for (int i = 0; i < count; i++) {
            data.put(i, rank + (long) i);
        }
        WORLD.sendRecvReplace(data, count, MPI.LONG, 1 - rank, 1, 1 - rank, 1);
        for (int i = 0; i < count; i++) {
            same(1 - rank + (long) i == data.get(i), true, "sendRecvReplace");
        }
        WORLD.allReduce(data, count, MPI.LONG, MPI.SUM);
        for (int i = 0; i < count; i++) {
            same(1 + 2L * i == data.get(i), true, "allReduce");
        }
    }

    /** Objects of more than 2^31 bytes in one message, in point-to-point calls. */
    private static void objects(int rank) throws MPIException {
        Object[] data = new Object[3];
        int length = Integer.getInteger("object.bytes", 750_000_000);
        if (rank == 0) {
            for (int i = 0; i < data.length; i++) {
                byte[] bytes = new byte[length];
                new Random(i).nextBytes(bytes);
                data[i] = bytes;
            }
            WORLD.Send(data, 0, data.length, MPI.OBJECT, 1, 1);
        } else {
            same(3, WORLD.Recv(data, 0, data.length, MPI.OBJECT, 0, 1).Get_count(MPI.OBJECT), "objects");
            byte[] expected = new byte[length];
            for (int i = 0; i < data.length; i++) {
                new Random(i).nextBytes(expected);
                same(true, Arrays.equals(expected, (byte[]) data[i]), "object " + i);
            }
        }
    }

    /** Objects of more than 2^31 bytes in a collective call. */
    private static void manyObjects(int rank) throws MPIException {
        Object[] data = new Object[3];
        for (int i = 0; rank == 0 && i < data.length; i++) {
            long[] longs = new long[100_000_000];
            fill(longs, i);
            data[i] = longs;
        }
        WORLD.Bcast(data, 0, data.length, MPI.OBJECT, 0);
        for (int i = 0; i < data.length; i++) {
            check((long[]) data[i], 0, 100_000_000, i, "object " + i);
        }
    }
}

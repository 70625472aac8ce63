package org.brigade.cli.bench.versus;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * The first calls of one operation in a fresh JVM: the program of {@code bench --cold}. Calls follow each other at
 * once, as in a user's program, and nothing is warmed up. It prints rows of
 * {@code operation,ranks,bytes,calls,algorithm,
 * microseconds}: the time of Init, the mean time of each {@link CallSpan}, and the sum of all calls, each of the
 * slowest rank. Arguments: bytes, operation, {@code cold=CALLS}, and the library's dialect, {@code openmpi} or
 * {@code mpj-express}. Buffers are Java arrays. mpi_bench.c does the same in C.
 *
 * <p>
 * The class depends on package mpi alone, and a JVM resolves a method when it is first called. So the same class runs
 * on Brigade, on Open MPI's bindings and on MPJ Express.
 */
public final class ColdCalls {
    /** The operations that it knows. */
    public static final List<String> OPERATIONS = List.of("latency", "barrier", "bcast", "reduce", "allreduce", "scan",
        "gather", "scatter", "allgather", "alltoall", "reduce-scatter");
    public static final String OPEN_MPI = "openmpi";
    static final String MPJ_EXPRESS = "mpj-express";
    static final String WORD = "cold=";
    private static final int TAG = 1;

    private final Intracomm world = MPI.COMM_WORLD;
    private final String operation;
    private final boolean capitals;
    private final int rank;
    private final int ranks;
    private final int items;
    private final int[] shares;
    private final Object send;
    private final Object recv;

    private ColdCalls(String operation, int bytes, boolean capitals) throws MPIException {
        this.operation = operation;
        this.capitals = capitals;
        rank = capitals ? world.Rank() : world.getRank();
        ranks = capitals ? world.Size() : world.getSize();
        boolean floats = List.of("reduce", "allreduce", "scan", "reduce-scatter").contains(operation);
        items = floats ? Math.max(1, bytes / 4) : bytes;
        int all = Math.multiplyExact(items, ranks);
        shares = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            shares[i] = items / ranks + (i < items % ranks ? 1 : 0);
        }
        boolean sendsAll = operation.equals("scatter") || operation.equals("alltoall");
        boolean takesAll = List.of("gather", "allgather", "alltoall").contains(operation);
        send = floats ? ones(items) : new byte[sendsAll ? all : items];
        recv = floats ? new float[items] : new byte[takesAll ? all : items];
    }

    private static float[] ones(int length) {
        float[] ones = new float[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    public static void main(String[] given) throws MPIException {
        long begun = System.nanoTime();
        String[] arguments = MPI.Init(given);
        double init = System.nanoTime() - begun;
        int calls = Integer.parseInt(arguments[2].substring(WORD.length()));
        new ColdCalls(arguments[1], Integer.parseInt(arguments[0]), arguments[3].equals(MPJ_EXPRESS)).run(init, calls);
        MPI.Finalize();
    }

    private void run(double init, int calls) throws MPIException {
        long[] times = new long[calls];
        int part = operation.equals("latency") ? 2 : 1; // half of there and back
        for (int i = 0; i < calls; i++) {
            long start = System.nanoTime();
            call();
            times[i] = (System.nanoTime() - start) / part;
        }
        if (operation.equals("allreduce") && ((float[]) recv)[items - 1] != ranks) {
            throw new IllegalStateException("the sum of " + ranks + " ones is " + ((float[]) recv)[items - 1]);
        }
        int[] lasts = CallSpan.lasts(calls);
        double[] mine = new double[lasts.length + 2];
        mine[0] = init;
        int from = 0;
        for (int span = 0; span < lasts.length; span++) {
            double sum = 0;
            for (int i = from; i < lasts[span]; i++) {
                sum += times[i];
            }
            mine[span + 1] = sum / (lasts[span] - from);
            mine[lasts.length + 1] += sum;
            from = lasts[span];
        }
        double[] slowest = new double[mine.length];
        if (capitals) {
            world.Reduce(mine, 0, slowest, 0, mine.length, MPI.DOUBLE, MPI.MAX, 0);
        } else {
            world.reduce(mine, slowest, mine.length, MPI.DOUBLE, MPI.MAX, 0);
        }
        if (rank == 0) {
            print(CallSpan.INIT, slowest[0]);
            for (int span = 0; span < lasts.length; span++) {
                print(CallSpan.words(span == 0 ? 1 : lasts[span - 1] + 1, lasts[span]), slowest[span + 1]);
            }
            print(CallSpan.TOTAL, slowest[lasts.length + 1]);
        }
    }

    private void print(String span, double nanoseconds) {
        int bytes = recv instanceof float[] ? 4 * items : items;
        System.out.println(operation + "," + ranks + "," + bytes + "," + span + ",,"
            + String.format(Locale.ROOT, "%.3f", nanoseconds / 1000));
    }

    private void call() throws MPIException {
        if (capitals) {
            callInCapitals();
            return;
        }
        switch (operation) {
            case "latency" -> pingPong();
            case "barrier" -> world.barrier();
            case "bcast" -> world.bcast(send, items, MPI.BYTE, 0);
            case "reduce" -> world.reduce(send, recv, items, MPI.FLOAT, MPI.SUM, 0);
            case "allreduce" -> world.allReduce(send, recv, items, MPI.FLOAT, MPI.SUM);
            case "scan" -> world.scan(send, recv, items, MPI.FLOAT, MPI.SUM);
            case "gather" -> world.gather(send, items, MPI.BYTE, recv, items, MPI.BYTE, 0);
            case "scatter" -> world.scatter(send, items, MPI.BYTE, recv, items, MPI.BYTE, 0);
            case "allgather" -> world.allGather(send, items, MPI.BYTE, recv, items, MPI.BYTE);
            case "alltoall" -> world.allToAll(send, items, MPI.BYTE, recv, items, MPI.BYTE);
            default -> world.reduceScatter(send, recv, shares, MPI.FLOAT, MPI.SUM);
        }
    }

    private void callInCapitals() throws MPIException {
        switch (operation) {
            case "latency" -> pingPongInCapitals();
            case "barrier" -> world.Barrier();
            case "bcast" -> world.Bcast(send, 0, items, MPI.BYTE, 0);
            case "reduce" -> world.Reduce(send, 0, recv, 0, items, MPI.FLOAT, MPI.SUM, 0);
            case "allreduce" -> world.Allreduce(send, 0, recv, 0, items, MPI.FLOAT, MPI.SUM);
            case "scan" -> world.Scan(send, 0, recv, 0, items, MPI.FLOAT, MPI.SUM);
            case "gather" -> world.Gather(send, 0, items, MPI.BYTE, recv, 0, items, MPI.BYTE, 0);
            case "scatter" -> world.Scatter(send, 0, items, MPI.BYTE, recv, 0, items, MPI.BYTE, 0);
            case "allgather" -> world.Allgather(send, 0, items, MPI.BYTE, recv, 0, items, MPI.BYTE);
            case "alltoall" -> world.Alltoall(send, 0, items, MPI.BYTE, recv, 0, items, MPI.BYTE);
            default -> world.Reduce_scatter(send, 0, recv, 0, shares, MPI.FLOAT, MPI.SUM);
        }
    }

    /** There and back between ranks 0 and 1. */
    private void pingPong() throws MPIException {
        if (rank == 0) {
            world.send(send, items, MPI.BYTE, 1, TAG);
            world.recv(recv, items, MPI.BYTE, 1, TAG);
        } else if (rank == 1) {
            world.recv(recv, items, MPI.BYTE, 0, TAG);
            world.send(send, items, MPI.BYTE, 0, TAG);
        }
    }

    private void pingPongInCapitals() throws MPIException {
        if (rank == 0) {
            world.Send(send, 0, items, MPI.BYTE, 1, TAG);
            world.Recv(recv, 0, items, MPI.BYTE, 1, TAG);
        } else if (rank == 1) {
            world.Recv(recv, 0, items, MPI.BYTE, 0, TAG);
            world.Send(send, 0, items, MPI.BYTE, 0, TAG);
        }
    }
}

package org.brigade.cli.bench.versus;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * mpi_bench.c in the API of MPJ Express: the program of {@code bench --vs mpj-express}. It is compiled against our
 * package {@code mpi} and runs on MPJ Express's, so it uses nothing else of Brigade, and is one class. Buffers are Java
 * arrays. Arguments: sizes, operations, and {@code fresh=BYTES} for buffers that are rewritten and rotate.
 */
public final class MpjExpressBench {
    private static final String MESSAGES = "latency|bw|bibw|polling|object";
    private static final int REPEATS = 5;
    private static final int WINDOW = 64;
    private static final int TAG = 1;
    private static final int WARM_CALLS = 4000;
    private static final double LONGEST_WARM_UP = 2;
    private static final int PATTERN = 97;
    private static final int MOST_SLOTS = 16384;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank;
    private final int ranks;
    private final long fresh;
    /** What the rewritten buffers hold; each call takes it from another place. */
    private final Object pattern;
    private final Object send;
    private final Object recv;
    /** Elements of a slot in each buffer, and the number of slots. */
    private int sendStride;
    private int recvStride;
    private int slots = 1;
    private int sendPlace;
    private int recvPlace;
    private int calls;
    private String operation;
    private boolean floats;
    private int items;
    private int[] counts;
    private int[] places;
    private int[] shares;
    /** A map with a name and an array, as SampleObject.java makes it. */
    private Object[] objects;
    private final Object[] received = new Object[1];

    private MpjExpressBench(String operation, long most, long fresh) throws MPIException {
        rank = world.Rank();
        ranks = world.Size();
        this.operation = operation;
        this.fresh = fresh;
        floats = operation.matches("reduce|allreduce|scan|exscan|reduce-scatter");
        int width = floats ? 4 : 1;
        long sent = most * blocks(operation, true);
        long received = most * blocks(operation, false);
        long room = Math.max(fresh / 2, Math.max(sent, received) * (fresh > 0 ? 2 : 1)) + 64;
        int length = (int) Math.min(Integer.MAX_VALUE - 64, fresh > 0 ? room + MOST_SLOTS : room) / width;
        send = floats ? new float[length] : new byte[length];
        recv = floats ? new float[length] : new byte[length];
        pattern = floats ? new float[(int) (sent / 4) + PATTERN] : new byte[(int) sent + PATTERN];
        for (int i = 0; floats && i < ((float[]) pattern).length; i++) {
            ((float[]) pattern)[i] = i % PATTERN / (float) PATTERN;
        }
        for (int i = 0; floats && i < length; i++) {
            ((float[]) send)[i] = i % PATTERN / (float) PATTERN;
        }
    }

    /** Messages that a buffer of an operation holds. */
    private int blocks(String name, boolean sending) {
        return switch (name) {
            case "barrier" -> 0;
            case "gather", "gatherv", "allgather", "allgatherv" -> sending ? 1 : ranks;
            case "scatter", "scatterv" -> sending ? ranks : 1;
            case "alltoall", "alltoallv" -> ranks;
            default -> 1;
        };
    }

    public static void main(String[] given) throws MPIException {
        String[] arguments = MPI.Init(given);
        if (MPI.COMM_WORLD.Rank() == 0) {
            System.out.println("operation,ranks,bytes,microseconds");
        }
        long fresh = arguments.length > 2 ? Long.parseLong(arguments[2].substring("fresh=".length())) : 0;
        long[] sizes = Arrays.stream(arguments[0].split(",")).mapToLong(Long::parseLong).toArray();
        for (String operation : arguments[1].split(",")) {
            // MPJ Express has no exscan.
            boolean known =
                operation.matches(
                    "latency|bw|bibw|polling|object|bcast-object|barrier|bcast|reduce|allreduce|scan|reduce-scatter"
                        + "|(all)?gatherv?|scatterv?|alltoallv?");
            if (known && (MPI.COMM_WORLD.Size() > 1 || !operation.matches(MESSAGES))) {
                long[] measured = operation.equals("barrier") ? new long[1] : sizes;
                MpjExpressBench bench =
                    new MpjExpressBench(operation, Arrays.stream(measured).max().orElse(0), fresh);
                for (long size : measured) {
                    bench.measure(Math.toIntExact(size));
                }
            }
        }
        MPI.Finalize();
    }

    private void measure(int size) throws MPIException {
        boolean object = operation.endsWith("object");
        int bytes = floats ? Math.max(4, size / 4 * 4) : object ? Math.max(8, size / 8 * 8) : size;
        objects = object ? new Object[] {new HashMap<>(Map.of("name", "sample", "values", new double[bytes / 8]))}
            : null;
        items = floats ? bytes / 4 : bytes;
        layOut();
        int iterations = bytes <= 8192 ? object ? 300 : 3000 : bytes <= 1 << 20 ? 300 : 30;
        String most = System.getenv("BRIGADE_BENCH_ITERATIONS");
        iterations = most == null ? iterations : Math.min(iterations, Integer.parseInt(most));
        double begin = now();
        double[] longest = {0};
        for (int done = 0; done < WARM_CALLS && longest[0] < LONGEST_WARM_UP; done += iterations) {
            time(iterations);
            world.Allreduce(new double[] {now() - begin}, 0, longest, 0, 1, MPI.DOUBLE, MPI.MAX);
        }
        double[] times = new double[REPEATS];
        boolean message = operation.matches(MESSAGES);
        for (int repeat = -1; repeat < REPEATS; repeat++) { // the first one warms up
            world.Barrier();
            double mine = time(iterations);
            double[] sum = new double[1];
            world.Allreduce(new double[] {mine}, 0, sum, 0, 1, MPI.DOUBLE, MPI.SUM);
            times[Math.max(0, repeat)] = message ? mine : sum[0] / ranks;
        }
        Arrays.sort(times);
        if (rank == 0) {
            System.out.println(operation + "," + ranks + "," + bytes + ","
                + String.format(Locale.ROOT, "%.3f", times[REPEATS / 2] * 1e6));
        }
    }

    private void layOut() {
        counts = new int[ranks];
        places = new int[ranks];
        shares = new int[ranks];
        for (int peer = 0; peer < ranks; peer++) {
            counts[peer] = items;
            places[peer] = peer * items;
            shares[peer] = items / ranks + (peer < items % ranks ? 1 : 0);
        }
        int width = floats ? 4 : 1;
        int gap = fresh > 0 ? 4096 / width + 64 / width : 1;
        sendStride = Math.max(gap, items * blocks(operation, true));
        recvStride = Math.max(gap, items * blocks(operation, false));
        int length = floats ? ((float[]) send).length : ((byte[]) send).length;
        slots = fresh > 0 ? Math.max(1, Math.min(MOST_SLOTS, length / Math.max(sendStride, recvStride))) : 1;
        sendPlace = 0;
        recvPlace = 0;
    }

    /** Seconds of one message or call on this rank. */
    private double time(int iterations) throws MPIException {
        return switch (operation) {
            case "latency" -> rank > 1 ? 0 : latency(iterations);
            case "object" -> rank > 1 ? 0 : exchange(iterations);
            case "polling" -> ring(iterations);
            case "bw", "bibw" -> rank > 1 ? 0 : windows(Math.max(1, iterations / 16), operation.equals("bibw"));
            default -> collective(iterations);
        };
    }

    /** Takes the next buffers and rewrites the one to send, if buffers are to be fresh. */
    private void next() {
        if (fresh > 0) {
            calls++;
            int slot = calls % slots;
            sendPlace = slot * sendStride;
            recvPlace = slot * recvStride;
            System.arraycopy(pattern, calls % PATTERN, send, sendPlace, items * blocks(operation, true));
        }
    }

    private double collective(int iterations) throws MPIException {
        double spent = 0;
        for (int i = 0; i < iterations; i++) {
            next();
            world.Barrier();
            double start = now();
            call();
            spent += now() - start;
        }
        return spent / iterations;
    }

    /** Seconds; MPJ Express's own clock counts milliseconds. */
    private static double now() {
        return System.nanoTime() / 1e9;
    }

    private double latency(int iterations) throws MPIException {
        double spent = 0;
        double start = now();
        for (int i = 0; i < iterations; i++) {
            if (fresh > 0) {
                next();
                meet();
                start = now();
            }
            if (rank == 0) {
                world.Send(send, sendPlace, items, MPI.BYTE, 1, TAG);
            }
            world.Recv(recv, recvPlace, items, MPI.BYTE, 1 - rank, TAG);
            if (rank == 1) {
                world.Send(send, sendPlace, items, MPI.BYTE, 0, TAG);
            }
            spent += fresh > 0 ? now() - start : 0;
        }
        return (fresh > 0 ? spent : now() - start) / iterations / 2;
    }

    private double exchange(int iterations) throws MPIException {
        double start = now();
        for (int i = 0; i < iterations; i++) {
            if (rank == 0) {
                world.Send(objects, 0, 1, MPI.OBJECT, 1, TAG);
            }
            world.Recv(received, 0, 1, MPI.OBJECT, 1 - rank, TAG);
            if (rank == 1) {
                world.Send(objects, 0, 1, MPI.OBJECT, 0, TAG);
            }
        }
        return (now() - start) / iterations / 2;
    }

    private double ring(int iterations) throws MPIException {
        int left = (rank + ranks - 1) % ranks;
        int right = (rank + 1) % ranks;
        double spent = 0;
        double start = now();
        for (int i = 0; i < iterations; i++) {
            if (fresh > 0) {
                next();
                world.Barrier();
                start = now();
            }
            Request token = world.Irecv(recv, recvPlace, items, MPI.BYTE, left, TAG);
            if (rank == 0) {
                world.Send(send, sendPlace, items, MPI.BYTE, right, TAG);
            }
            while (token.Test() == null) {
                // As a program does that has nothing else to do.
            }
            if (rank != 0) {
                world.Send(send, sendPlace, items, MPI.BYTE, right, TAG);
            }
            spent += fresh > 0 ? now() - start : 0;
        }
        return (fresh > 0 ? spent : now() - start) / iterations / ranks;
    }

    private double windows(int iterations, boolean both) throws MPIException {
        int peer = 1 - rank;
        Request[] requests = new Request[both ? 2 * WINDOW : WINDOW];
        double spent = 0;
        for (int i = 0; i < iterations; i++) {
            if (fresh > 0) {
                for (int k = 0; k < Math.min(slots, WINDOW); k++) {
                    next();
                }
                meet();
            }
            double start = now();
            int n = 0;
            for (int k = 0; k < WINDOW && (both || rank == 1); k++) {
                int place = Math.floorMod(calls - k, slots) * recvStride;
                requests[n++] = world.Irecv(recv, place, items, MPI.BYTE, peer, TAG);
            }
            for (int k = 0; k < WINDOW && (both || rank == 0); k++) {
                int place = Math.floorMod(calls - k, slots) * sendStride;
                requests[n++] = world.Isend(send, place, items, MPI.BYTE, peer, TAG);
            }
            Request.Waitall(requests);
            answer();
            spent += now() - start;
        }
        return spent / iterations / requests.length;
    }

    /** An empty message from rank 1 to rank 0. */
    private void answer() throws MPIException {
        if (rank == 0) {
            world.Recv(recv, 0, 0, MPI.BYTE, 1, TAG);
        } else {
            world.Send(send, 0, 0, MPI.BYTE, 0, TAG);
        }
    }

    /** Ranks 0 and 1 wait for each other. */
    private void meet() throws MPIException {
        answer();
        if (rank == 0) {
            world.Send(send, 0, 0, MPI.BYTE, 1, TAG);
        } else {
            world.Recv(recv, 0, 0, MPI.BYTE, 0, TAG);
        }
    }

    private void call() throws MPIException {
        int from = sendPlace;
        int to = recvPlace;
        switch (operation) {
            case "barrier" -> world.Barrier();
            case "bcast-object" -> world.Bcast(objects, 0, 1, MPI.OBJECT, 0);
            case "bcast" -> world.Bcast(send, from, items, MPI.BYTE, 0);
            case "reduce" -> world.Reduce(send, from, recv, to, items, MPI.FLOAT, MPI.SUM, 0);
            case "allreduce" -> world.Allreduce(send, from, recv, to, items, MPI.FLOAT, MPI.SUM);
            case "scan" -> world.Scan(send, from, recv, to, items, MPI.FLOAT, MPI.SUM);
            case "reduce-scatter" -> world.Reduce_scatter(send, from, recv, to, shares, MPI.FLOAT, MPI.SUM);
            case "gather" -> world.Gather(send, from, items, MPI.BYTE, recv, to, items, MPI.BYTE, 0);
            case "gatherv" -> world.Gatherv(send, from, items, MPI.BYTE, recv, to, counts, places, MPI.BYTE, 0);
            case "scatter" -> world.Scatter(send, from, items, MPI.BYTE, recv, to, items, MPI.BYTE, 0);
            case "scatterv" -> world.Scatterv(send, from, counts, places, MPI.BYTE, recv, to, items, MPI.BYTE, 0);
            case "allgather" -> world.Allgather(send, from, items, MPI.BYTE, recv, to, items, MPI.BYTE);
            case "allgatherv" -> world.Allgatherv(send, from, items, MPI.BYTE, recv, to, counts, places, MPI.BYTE);
            case "alltoall" -> world.Alltoall(send, from, items, MPI.BYTE, recv, to, items, MPI.BYTE);
            default -> world.Alltoallv(send, from, counts, places, MPI.BYTE, recv, to, counts, places, MPI.BYTE);
        }
    }
}

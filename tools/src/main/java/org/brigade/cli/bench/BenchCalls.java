package org.brigade.cli.bench;

import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.brigade.communicator.call.Diagnostics;

/**
 * The calls that are timed, through the public API, and the clock around them, as the OSU micro-benchmarks do it: of a
 * collective only the call itself, with a barrier between two of them outside the clock; latency is half a ping-pong of
 * ranks 0 and 1; bandwidth is a window of sends in flight and one answer for each window.
 */
public final class BenchCalls {
    private static final int WINDOW = 64;
    /** Most bytes in flight between GPUs, where 64 GiB would take long and tell nothing more. */
    private static final long DEVICE_WINDOW = 256L << 20;
    private static final int TAG = 1;

    private final Intracomm world;
    private final int rank;
    private final int ranks;
    private final BenchOperation operation;
    private final BenchBuffers buffers;
    private final int bytes;
    private final int[] counts;
    private final int[] places;
    private final int[] shares;
    private final Request[] requests;
    private final int window;
    private String algorithm = "none";

    public BenchCalls(BenchOperation operation, BenchBuffers buffers, int bytes) throws MPIException {
        this(MPI.COMM_WORLD, operation, buffers, bytes);
    }

    public BenchCalls(Intracomm comm, BenchOperation operation, BenchBuffers buffers, int bytes) throws MPIException {
        world = comm;
        rank = comm.getRank();
        ranks = comm.getSize();
        this.operation = operation;
        this.buffers = buffers;
        this.bytes = bytes;
        counts = new int[ranks];
        places = new int[ranks];
        shares = new int[ranks];
        Arrays.fill(counts, bytes);
        int floats = bytes / 4;
        for (int i = 0; i < ranks; i++) {
            places[i] = i * bytes;
            shares[i] = floats / ranks + (i < floats % ranks ? 1 : 0);
        }
        window = buffers.onDevice() ? (int) Math.max(2, Math.min(WINDOW, DEVICE_WINDOW / Math.max(1, bytes))) : WINDOW;
        requests = new Request[operation == BenchOperation.BIBW ? 2 * window : window];
    }

    /** Which algorithm served the collective that was timed last. */
    String algorithm() {
        return algorithm;
    }

    /** Nanoseconds of one message or call on this rank, mean over the iterations. Collective. */
    double time(int iterations) throws MPIException {
        return switch (operation) {
            case LATENCY -> rank > 1 ? 0 : pingPong(iterations);
            case BW, BIBW -> rank > 1 ? 0 : windows(Math.max(1, iterations / 16));
            default -> collective(iterations);
        };
    }

    private double pingPong(int iterations) throws MPIException {
        Object send = buffers.send();
        Object recv = buffers.recv();
        int peer = 1 - rank;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            if (rank == 0) {
                world.send(send, bytes, MPI.BYTE, peer, TAG);
            }
            world.recv(recv, bytes, MPI.BYTE, peer, TAG);
            if (rank == 1) {
                world.send(send, bytes, MPI.BYTE, peer, TAG);
            }
        }
        return (System.nanoTime() - start) / (2.0 * iterations);
    }

    private double windows(int iterations) throws MPIException {
        int peer = 1 - rank;
        boolean both = operation == BenchOperation.BIBW;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            int n = 0;
            for (int k = 0; k < window && (both || rank == 1); k++) {
                requests[n++] = buffers.onDevice() ? world.Irecv(buffers.recv(), 0, bytes, MPI.BYTE, peer, TAG)
                    : world.iRecv(buffers.second(), bytes, MPI.BYTE, peer, TAG);
            }
            for (int k = 0; k < window && (both || rank == 0); k++) {
                requests[n++] = buffers.onDevice() ? world.Isend(buffers.send(), 0, bytes, MPI.BYTE, peer, TAG)
                    : world.iSend(buffers.first(), bytes, MPI.BYTE, peer, TAG);
            }
            Request.waitAll(requests);
            if (rank == 0) {
                world.recv(buffers.recv(), 0, MPI.BYTE, peer, TAG);
            } else {
                world.send(buffers.send(), 0, MPI.BYTE, peer, TAG);
            }
        }
        return (System.nanoTime() - start) / ((double) iterations * requests.length);
    }

    private double collective(int iterations) throws MPIException {
        long spent = 0;
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            call();
            spent += System.nanoTime() - start;
            if (i == 0) {
                // Asked here, before the barrier is the last collective.
                algorithm = Diagnostics.lastAlgorithm();
            }
            world.barrier();
        }
        return (double) spent / iterations;
    }

    /** The collective, once. */
    public void call() throws MPIException {
        Object send = buffers.send();
        Object recv = buffers.recv();
        Datatype type = MPI.BYTE;
        int floats = bytes / 4;
        switch (operation) {
            case BARRIER -> world.barrier();
            case BCAST -> world.bcast(send, bytes, type, 0);
            case REDUCE -> world.reduce(send, recv, floats, MPI.FLOAT, MPI.SUM, 0);
            case ALLREDUCE -> world.allReduce(send, recv, floats, MPI.FLOAT, MPI.SUM);
            case SCAN -> world.scan(send, recv, floats, MPI.FLOAT, MPI.SUM);
            case EXSCAN -> world.exScan(send, recv, floats, MPI.FLOAT, MPI.SUM);
            case GATHER -> world.gather(send, bytes, type, recv, bytes, type, 0);
            case GATHERV -> world.gatherv(send, bytes, type, recv, counts, places, type, 0);
            case SCATTER -> world.scatter(send, bytes, type, recv, bytes, type, 0);
            case SCATTERV -> world.scatterv(send, counts, places, type, recv, bytes, type, 0);
            case ALLGATHER -> world.allGather(send, bytes, type, recv, bytes, type);
            case ALLGATHERV -> world.allGatherv(send, bytes, type, recv, counts, places, type);
            case REDUCE_SCATTER -> world.reduceScatter(send, recv, shares, MPI.FLOAT, MPI.SUM);
            case ALLTOALL -> world.allToAll(send, bytes, type, recv, bytes, type);
            case ALLTOALLV -> world.allToAllv(send, counts, places, type, recv, counts, places, type);
            default -> throw new IllegalStateException(operation.key());
        }
    }
}

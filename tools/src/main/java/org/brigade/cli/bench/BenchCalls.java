package org.brigade.cli.bench;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;
import mpi.spi.Collective;
import org.brigade.cli.shared.UserCall;
import org.brigade.communicator.call.Diagnostics;

/**
 * Times calls of the public API as the OSU micro-benchmarks do. For a collective, the clock covers only the call; a
 * barrier separates two calls outside the clock. Latency is half a ping-pong of ranks 0 and 1. Bandwidth is a window of
 * sends in flight, with one answer for each window. Put and get are one access of rank 0 to rank 1's memory, and a
 * flush.
 */
public final class BenchCalls implements TimedCalls {
    private static final int WINDOW = 64;
    /** The most bytes in flight between GPUs: a full window of large messages would take long and tell nothing more. */
    private static final long DEVICE_WINDOW = 256L << 20;
    private static final int TAG = 1;

    private final Intracomm world;
    private final int rank;
    private final BenchOperation operation;
    private final BenchBuffers buffers;
    private final int bytes;
    private final UserCall call;
    private final Request[] requests;
    private final int window;
    private final Timing timing;
    private String algorithm;

    public BenchCalls(Intracomm comm, BenchOperation operation, BenchBuffers buffers, int bytes) throws MPIException {
        world = comm;
        rank = comm.getRank();
        this.operation = operation;
        this.buffers = buffers;
        this.bytes = bytes;
        timing = new Timing(comm);
        call = operation.pointToPoint() ? null : userCall(operation, buffers, bytes, comm.getSize());
        algorithm = call != null ? "none" : operation.oneSided() ? "one-sided" : "point-to-point";
        window = buffers.onDevice() ? (int) Math.max(2, Math.min(WINDOW, DEVICE_WINDOW / Math.max(1, bytes))) : WINDOW;
        requests = new Request[operation == BenchOperation.BIBW ? 2 * window : window];
    }

    static UserCall userCall(BenchOperation operation, BenchBuffers buffers, int bytes, int ranks) {
        Collective collective = operation.collective();
        int blocks = collective.amongNeighbours() ? BenchOperation.RING_EDGES : ranks;
        boolean reduces = collective.reduces;
        int items = reduces ? bytes / 4 : bytes;
        int[] counts = new int[blocks];
        int[] shares = new int[blocks];
        int[] places = new int[blocks];
        for (int i = 0; i < blocks; i++) {
            counts[i] = items;
            shares[i] = items / ranks + (i < items % ranks ? 1 : 0);
            places[i] = i * items;
        }
        return new UserCall(collective, buffers.send(),
            collective == Collective.REDUCE_SCATTER ? shares : counts, places,
            collective == Collective.BCAST ? buffers.send() : buffers.recv(), counts, places,
            reduces ? MPI.FLOAT : MPI.BYTE, reduces ? MPI.SUM : null, 0, false);
    }

    @Override
    public int bytes() {
        return bytes;
    }

    @Override
    public String algorithm() {
        return algorithm;
    }

    @Override
    public double time(int iterations) throws MPIException {
        if (call != null) {
            return collective(iterations);
        }
        if (operation.oneSided()) {
            return accesses(iterations);
        }
        return rank > 1 ? 0 : operation == BenchOperation.LATENCY ? pingPong(iterations)
            : windows(Math.max(1, iterations / 16));
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

    /** Rank 0 writes rank 1's memory or reads it, each time to the end. */
    private double accesses(int iterations) throws MPIException {
        Win win = new Win(buffers.recv(), bytes, 1, MPI.INFO_NULL, world);
        double time = 0;
        if (rank == 0) {
            boolean puts = operation == BenchOperation.PUT;
            Object origin = buffers.send();
            win.lock(MPI.LOCK_SHARED, 1, 0);
            long start = System.nanoTime();
            for (int i = 0; i < iterations; i++) {
                if (puts) {
                    win.put(origin, bytes, MPI.BYTE, 1, 0, bytes, MPI.BYTE);
                } else {
                    win.get(origin, bytes, MPI.BYTE, 1, 0, bytes, MPI.BYTE);
                }
                win.flush(1);
            }
            time = (System.nanoTime() - start) / (double) iterations;
            win.unlock(1);
        }
        win.free();
        return time;
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
        double sum = 0;
        for (double time : timing.each(this::call, iterations)) {
            sum += time;
        }
        algorithm = Diagnostics.lastAlgorithm();
        return sum / iterations;
    }

    /** Makes the collective call once. */
    public void call() throws MPIException {
        call.run(world);
    }
}

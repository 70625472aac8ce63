package org.brigade.cli.bench;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.brigade.cli.shared.UserCall;
import org.brigade.communicator.call.Diagnostics;

/**
 * Times calls whose buffers are fresh: the buffer to send is rewritten before each call, and buffers rotate over more
 * memory than the caches hold. Both happen outside the clock, and ranks meet before it starts. A loop over one
 * unchanged buffer flatters an MPI that lets the receiver read the sender's memory: the lines stay in the receiver's
 * cache. mpi_bench.c does the same.
 */
final class FreshCalls implements TimedCalls {
    private static final int WINDOW = 64;
    private static final int TAG = 1;

    private final Intracomm world;
    private final int rank;
    private final BenchOperation operation;
    private final FreshBuffers buffers;
    private final int bytes;
    private final BenchBuffers[] slots;
    /** One for each slot; null for messages. */
    private final UserCall[] calls;
    private final Request[] requests;
    private int turn;
    private String algorithm = "point-to-point";

    /** @param operation not an access to a window: only another rank could rewrite its target */
    FreshCalls(Intracomm comm, BenchOperation operation, FreshBuffers buffers, int bytes) throws MPIException {
        world = comm;
        rank = comm.getRank();
        this.operation = operation;
        this.buffers = buffers;
        this.bytes = bytes;
        int ranks = comm.getSize();
        slots = buffers.slots(operation.sendBytes(bytes, ranks), operation.recvBytes(bytes, ranks));
        calls = operation.pointToPoint() ? null : new UserCall[slots.length];
        for (int i = 0; calls != null && i < calls.length; i++) {
            calls[i] = BenchCalls.userCall(operation, slots[i], bytes, ranks);
        }
        requests = new Request[operation == BenchOperation.BIBW ? 2 * WINDOW : WINDOW];
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
        if (calls != null) {
            return collective(iterations);
        }
        return rank > 1 ? 0 : operation == BenchOperation.LATENCY ? pingPong(iterations)
            : windows(Math.max(1, iterations / 16));
    }

    /** Takes the next slot and rewrites what it sends. */
    private int next() {
        turn++;
        int slot = turn % slots.length;
        buffers.rewrite(slots[slot], turn);
        return slot;
    }

    private double collective(int iterations) throws MPIException {
        long spent = 0;
        for (int i = 0; i < iterations; i++) {
            UserCall call = calls[next()];
            world.barrier();
            long start = System.nanoTime();
            call.run(world);
            spent += System.nanoTime() - start;
        }
        algorithm = Diagnostics.lastAlgorithm();
        return (double) spent / iterations;
    }

    private double pingPong(int iterations) throws MPIException {
        long spent = 0;
        for (int i = 0; i < iterations; i++) {
            BenchBuffers slot = slots[next()];
            meet(slot);
            long start = System.nanoTime();
            if (rank == 0) {
                world.send(slot.send(), bytes, MPI.BYTE, 1, TAG);
            }
            world.recv(slot.recv(), bytes, MPI.BYTE, 1 - rank, TAG);
            if (rank == 1) {
                world.send(slot.send(), bytes, MPI.BYTE, 0, TAG);
            }
            spent += System.nanoTime() - start;
        }
        return spent / (2.0 * iterations);
    }

    private double windows(int iterations) throws MPIException {
        boolean both = operation == BenchOperation.BIBW;
        int peer = 1 - rank;
        long spent = 0;
        for (int i = 0; i < iterations; i++) {
            for (int k = 0; k < Math.min(WINDOW, slots.length); k++) {
                next();
            }
            meet(slots[0]);
            long start = System.nanoTime();
            int n = 0;
            for (int k = 0; k < WINDOW && (both || rank == 1); k++) {
                requests[n++] = world.iRecv(ago(k).second(), bytes, MPI.BYTE, peer, TAG);
            }
            for (int k = 0; k < WINDOW && (both || rank == 0); k++) {
                requests[n++] = world.iSend(ago(k).first(), bytes, MPI.BYTE, peer, TAG);
            }
            Request.waitAll(requests);
            answer(slots[0]);
            spent += System.nanoTime() - start;
        }
        return spent / ((double) iterations * requests.length);
    }

    /** The slot of k calls ago. */
    private BenchBuffers ago(int k) {
        return slots[Math.floorMod(turn - k, slots.length)];
    }

    /** An empty message from rank 1 to rank 0. */
    private void answer(BenchBuffers slot) throws MPIException {
        if (rank == 0) {
            world.recv(slot.recv(), 0, MPI.BYTE, 1, TAG);
        } else {
            world.send(slot.send(), 0, MPI.BYTE, 0, TAG);
        }
    }

    /** Ranks 0 and 1 wait for each other. */
    private void meet(BenchBuffers slot) throws MPIException {
        answer(slot);
        if (rank == 0) {
            world.send(slot.send(), 0, MPI.BYTE, 1, TAG);
        } else {
            world.recv(slot.recv(), 0, MPI.BYTE, 0, TAG);
        }
    }
}

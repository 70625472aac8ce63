package org.brigade.cli.bench;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;
import mpi.spi.Collective;
import org.brigade.cli.bench.timing.Timing;
import org.brigade.cli.shared.UserCall;
import org.brigade.communicator.call.Diagnostics;

/**
 * An operation at one size, timed through the public API as the OSU micro-benchmarks do. For a collective, the clock
 * covers only the call; a barrier separates two calls outside the clock. Latency is half a ping-pong of ranks 0 and 1.
 * Bandwidth is a window of sends in flight, with one answer for each window. Polling is one hop of a message that all
 * ranks pass on in a ring; each tests its receive until the message has come. Put and get are one access of rank 0 to
 * rank 1's memory, and a flush.
 *
 * <p>
 * Buffers are the same in all calls, or fresh: then what a call reads is rewritten before it, and buffers rotate over
 * more memory than the caches hold, both outside the clock, and ranks meet before it starts. A loop over one unchanged
 * buffer flatters an MPI that lets the receiver read the sender's memory: the lines stay in the receiver's cache.
 * mpi_bench.c does the same.
 */
public final class BenchCalls implements TimedCalls {
    private static final int WINDOW = 64;
    /** The most bytes in flight between GPUs: a full window of large messages would take long and tell nothing more. */
    private static final long DEVICE_WINDOW = 256L << 20;
    private static final int TAG = 1;

    private final Intracomm world;
    private final int rank;
    private final BenchOperation operation;
    private final int bytes;
    /** Null if there is one slot, whose contents stay. */
    private final FreshBuffers fresh;
    private final BenchBuffers[] slots;
    /** One for each slot; null for messages. */
    private final UserCall[] calls;
    private final Request[] requests;
    private final int window;
    private final Timing timing;
    private int turn;
    /** The slot of this turn. */
    private int present;
    private String algorithm;

    /** Calls with the same buffers each time. */
    public BenchCalls(Intracomm comm, BenchOperation operation, BenchBuffers buffers, int bytes) throws MPIException {
        this(comm, operation, null, new BenchBuffers[] {buffers}, bytes, new Timing(comm));
    }

    /**
     * Calls with fresh buffers each time.
     *
     * @param timing may be another communicator's: its barriers then take nothing that calls on this one could use
     */
    public BenchCalls(Intracomm comm, BenchOperation operation, FreshBuffers fresh, int bytes, Timing timing)
        throws MPIException {
        this(comm, operation, fresh, fresh.slots(operation.sendBytes(bytes, comm.getSize()),
            operation.recvBytes(bytes, comm.getSize())), bytes, timing);
    }

    private BenchCalls(Intracomm comm, BenchOperation operation, FreshBuffers fresh, BenchBuffers[] slots, int bytes,
        Timing timing) throws MPIException {
        world = comm;
        rank = comm.getRank();
        this.operation = operation;
        this.bytes = bytes;
        this.fresh = fresh;
        this.slots = slots;
        this.timing = timing;
        calls = operation.pointToPoint() ? null : new UserCall[slots.length];
        for (int i = 0; calls != null && i < calls.length; i++) {
            calls[i] = userCall(operation, slots[i], bytes, comm.getSize());
        }
        algorithm = calls != null ? "none" : operation.oneSided() ? "one-sided" : "point-to-point";
        window =
            slots[0].onDevice() ? (int) Math.max(2, Math.min(WINDOW, DEVICE_WINDOW / Math.max(1, bytes))) : WINDOW;
        requests = new Request[operation == BenchOperation.BIBW ? 2 * window : window];
    }

    private static UserCall userCall(BenchOperation operation, BenchBuffers buffers, int bytes, int ranks) {
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
        if (calls != null) {
            double sum = 0;
            for (double time : each(iterations)) {
                sum += time;
            }
            return sum / iterations;
        }
        if (operation.oneSided()) {
            return accesses(iterations);
        }
        if (operation == BenchOperation.POLLING) {
            return ring(iterations);
        }
        return rank > 1 ? 0 : operation == BenchOperation.LATENCY ? pingPong(iterations)
            : windows(Math.max(1, iterations / 16));
    }

    /** Nanoseconds of each call of a collective on this rank. Collective. */
    public double[] each(int iterations) throws MPIException {
        double[] times = timing.each(this::next, this::call, iterations);
        algorithm = Diagnostics.lastAlgorithm();
        return times;
    }

    /** Makes the collective call once, with the present buffers. */
    public void call() throws MPIException {
        calls[present].run(world);
    }

    /** Takes the next buffers and rewrites what is sent from them. */
    private void next() {
        if (fresh != null) {
            turn++;
            present = turn % slots.length;
            fresh.rewriteSend(slots[present], turn);
        }
    }

    /** The buffers of k calls ago. */
    private BenchBuffers ago(int k) {
        return slots.length == 1 ? slots[0] : slots[Math.floorMod(turn - k, slots.length)];
    }

    private double pingPong(int iterations) throws MPIException {
        int peer = 1 - rank;
        long outside = 0;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            if (fresh != null) {
                long pause = System.nanoTime();
                next();
                meet();
                outside += System.nanoTime() - pause;
            }
            BenchBuffers slot = slots[present];
            if (rank == 0) {
                world.send(slot.send(), bytes, MPI.BYTE, peer, TAG);
            }
            world.recv(slot.recv(), bytes, MPI.BYTE, peer, TAG);
            if (rank == 1) {
                world.send(slot.send(), bytes, MPI.BYTE, peer, TAG);
            }
        }
        return (System.nanoTime() - start - outside) / (2.0 * iterations);
    }

    /** From one rank to the next. */
    private double ring(int iterations) throws MPIException {
        int ranks = world.getSize();
        int left = (rank + ranks - 1) % ranks;
        int right = (rank + 1) % ranks;
        long outside = 0;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            if (fresh != null) {
                long pause = System.nanoTime();
                next();
                world.barrier();
                outside += System.nanoTime() - pause;
            }
            BenchBuffers slot = slots[present];
            Request token = slot.onDevice() ? world.Irecv(slot.recv(), 0, bytes, MPI.BYTE, left, TAG)
                : world.iRecv(slot.second(), bytes, MPI.BYTE, left, TAG);
            if (rank == 0) {
                world.send(slot.send(), bytes, MPI.BYTE, right, TAG);
            }
            while (!token.test()) {
                // As a program does that has nothing else to do.
            }
            if (rank != 0) {
                world.send(slot.send(), bytes, MPI.BYTE, right, TAG);
            }
        }
        return (System.nanoTime() - start - outside) / ((double) iterations * ranks);
    }

    private double windows(int iterations) throws MPIException {
        int peer = 1 - rank;
        boolean both = operation == BenchOperation.BIBW;
        long outside = 0;
        long start = System.nanoTime();
        for (int i = 0; i < iterations; i++) {
            if (fresh != null) {
                long pause = System.nanoTime();
                for (int k = 0; k < Math.min(window, slots.length); k++) {
                    next();
                }
                meet();
                outside += System.nanoTime() - pause;
            }
            int n = 0;
            for (int k = 0; k < window && (both || rank == 1); k++) {
                BenchBuffers slot = ago(k);
                requests[n++] = slot.onDevice() ? world.Irecv(slot.recv(), 0, bytes, MPI.BYTE, peer, TAG)
                    : world.iRecv(slot.second(), bytes, MPI.BYTE, peer, TAG);
            }
            for (int k = 0; k < window && (both || rank == 0); k++) {
                BenchBuffers slot = ago(k);
                requests[n++] = slot.onDevice() ? world.Isend(slot.send(), 0, bytes, MPI.BYTE, peer, TAG)
                    : world.iSend(slot.first(), bytes, MPI.BYTE, peer, TAG);
            }
            Request.waitAll(requests);
            answer();
        }
        return (System.nanoTime() - start - outside) / ((double) iterations * requests.length);
    }

    /** An empty message from rank 1 to rank 0. */
    private void answer() throws MPIException {
        if (rank == 0) {
            world.recv(slots[0].recv(), 0, MPI.BYTE, 1, TAG);
        } else {
            world.send(slots[0].send(), 0, MPI.BYTE, 0, TAG);
        }
    }

    /** Ranks 0 and 1 wait for each other. */
    private void meet() throws MPIException {
        answer();
        if (rank == 0) {
            world.send(slots[0].send(), 0, MPI.BYTE, 1, TAG);
        } else {
            world.recv(slots[0].recv(), 0, MPI.BYTE, 0, TAG);
        }
    }

    /** Rank 0 writes rank 1's memory or reads it, each time to the end. */
    private double accesses(int iterations) throws MPIException {
        int places = fresh == null ? 1 : fresh.places(bytes);
        Win win = fresh == null ? new Win(slots[0].recv(), bytes, 1, MPI.INFO_NULL, world)
            : new Win(fresh.target(), fresh.target().capacity(), 1, MPI.INFO_NULL, world);
        boolean puts = operation == BenchOperation.PUT;
        long outside = 0;
        long start = System.nanoTime();
        if (rank == 0) {
            win.lock(MPI.LOCK_SHARED, 1, 0);
        }
        for (int i = 0; i < iterations && rank < (fresh == null ? 1 : 2); i++) {
            int place = 0;
            if (fresh != null) {
                long pause = System.nanoTime();
                next();
                place = fresh.place(turn % places, bytes);
                if (rank == 1 && !puts) {
                    fresh.rewriteTarget(place, bytes, turn);
                    win.sync();
                }
                meet();
                outside += System.nanoTime() - pause;
            }
            if (rank == 0 && puts) {
                win.put(slots[present].send(), bytes, MPI.BYTE, 1, place, bytes, MPI.BYTE);
                win.flush(1);
            } else if (rank == 0) {
                win.get(slots[present].send(), bytes, MPI.BYTE, 1, place, bytes, MPI.BYTE);
                win.flush(1);
            }
        }
        double time = (System.nanoTime() - start - outside) / (double) iterations;
        if (rank == 0) {
            win.unlock(1);
        }
        win.free();
        return rank == 0 ? time : 0;
    }
}

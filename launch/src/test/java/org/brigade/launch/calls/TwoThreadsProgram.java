package org.brigade.launch.calls;

import java.util.concurrent.atomic.AtomicReference;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/**
 * What the ranks of {@link TwoThreadsJobsTest} run: two threads, each in a communicator of its own, make calls of all
 * kinds as fast as they can, and look at every result. The argument is the number of calls of each rank.
 */
final class TwoThreadsProgram {
    private static final int THREADS = 2;
    /** Calls of a round. */
    private static final int ROUND = 8;
    private static final int TAG = 5;

    private final Intracomm comm;
    private final int thread;
    private final int rank;
    private final int ranks;
    private final int next;
    private final int before;

    private TwoThreadsProgram(Intracomm comm, int thread) {
        this.comm = comm;
        this.thread = thread;
        rank = comm.getRank();
        ranks = comm.getSize();
        next = (rank + 1) % ranks;
        before = (rank + ranks - 1) % ranks;
    }

    public static void main(String[] arguments) throws InterruptedException {
        MPI.InitThread(arguments, MPI.THREAD_MULTIPLE);
        long rounds = Long.parseLong(arguments[0]) / (ROUND * THREADS);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            TwoThreadsProgram work = new TwoThreadsProgram(MPI.COMM_WORLD.dup(), i);
            threads[i] = new Thread(() -> {
                try {
                    for (long round = 0; round < rounds; round++) {
                        work.round(round);
                    }
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                    e.printStackTrace();
                    MPI.COMM_WORLD.abort(3); // the other ranks may wait for this thread
                }
            });
            threads[i].start();
        }
        for (Thread each : threads) {
            each.join();
        }
        if (failure.get() == null) {
            System.out.println("rank " + MPI.COMM_WORLD.getRank() + " passed");
        }
        MPI.Finalize();
    }

    /** A number that no other thread, rank or round has. */
    private long mark(long round, int of) {
        return (round * ranks + of) * THREADS + thread;
    }

    private void same(long expected, long found, String what, long round) {
        if (expected != found) {
            throw new AssertionError("rank " + rank + ", thread " + thread + ", round " + round + ", " + what + ": "
                + found + " instead of " + expected);
        }
    }

    private void round(long round) throws MPIException {
        // Mostly small; now and then more than goes without asking, or more than one piece.
        int count = round % 1000 == 999 ? 20_000 : round % 100 == 99 ? 700 : 1 + (int) (round % 7);
        int last = count - 1;
        long[] out = new long[count];
        long[] in = new long[count];
        out[0] = mark(round, rank);
        out[last] = out[0];
        Status status = comm.sendRecv(out, count, MPI.LONG, next, TAG, in, count, MPI.LONG, before, TAG);
        same(mark(round, before), in[last], "sendRecv", round);
        same(count, status.getCount(MPI.LONG), "count", round);

        Request receive = comm.Irecv(in, 0, count, MPI.LONG, MPI.ANY_SOURCE, MPI.ANY_TAG);
        out[last] = -out[0];
        comm.Send(out, 0, count, MPI.LONG, next, TAG + 1);
        same(TAG + 1, receive.Wait().getTag(), "tag", round);
        same(-mark(round, before), in[last], "Irecv", round);

        comm.allReduce(new long[] {mark(round, rank)}, in, 1, MPI.LONG, MPI.MAX);
        same(mark(round, ranks - 1), in[0], "allReduce", round);

        int root = (int) (round % ranks);
        in[last] = rank == root ? mark(round, 0) : 0;
        comm.bcast(in, count, MPI.LONG, root);
        same(mark(round, 0), in[last], "bcast", round);

        long[] all = new long[ranks];
        comm.allGather(new long[] {mark(round, rank)}, 1, MPI.LONG, all, 1, MPI.LONG);
        same(mark(round, before), all[before], "allGather", round);

        out[last] = mark(round, rank);
        comm.reduce(out, in, count, MPI.LONG, MPI.MIN, root);
        if (rank == root) {
            same(mark(round, 0), in[last], "reduce", round);
        }
        comm.barrier();
    }
}

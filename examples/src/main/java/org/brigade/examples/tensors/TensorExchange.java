package org.brigade.examples.tensors;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Sums named tensors over all ranks, though each rank, and each of its threads, submits them in another order (Sergeev
 * and Del Balso, Horovod, 2018). A thread of each rank runs cycles, all ranks together:
 *
 * <pre>
 *   tensor                a b c d
 *   rank 0 has submitted  1 0 1 1
 *   rank 1 has submitted  1 1 0 1
 *   rank 2 has submitted  1 0 1 1
 *                         -------
 *   allreduce, BAND       1 0 0 1      a and d are everywhere: all ranks sum them now, in this order
 * </pre>
 *
 * A tensor gets its bit when a rank first submits it: the ranks then tell each other its name, type and length. So the
 * first step costs some messages more, and every later one only the bits.
 */
public final class TensorExchange<T extends NamedTensor> implements AutoCloseable {
    /** What sums tensors, in place. All ranks call it with tensors of the same names in the same order. */
    public interface Allreduce<T> {
        void run(List<T> tensors) throws MPIException;
    }

    /** The longest time between two cycles while no rank has anything. */
    private static final long IDLE = TimeUnit.MILLISECONDS.toNanos(50);

    private final Intracomm comm;
    private final long pause;
    private final Submissions<T> submissions;
    private final ExchangeCycle<T> cycle;
    private final Thread thread = new Thread(this::run, "tensor-exchange");

    /** With a cycle a millisecond, and a report of tensors that have waited for a minute. */
    public TensorExchange(Intracomm comm, Allreduce<T> allreduce) throws MPIException {
        this(comm, allreduce, Duration.ofMillis(1), Duration.ofMinutes(1));
    }

    /**
     * Called on all ranks together.
     *
     * @param comm for this exchange alone until it is closed: a duplicate of the ranks' communicator
     * @param pause the least time between two cycles: the longer, the more tensors go into one allreduce
     * @param patience rank 0 reports tensors that some ranks have submitted so long ago, and others have not
     */
    public TensorExchange(Intracomm comm, Allreduce<T> allreduce, Duration pause, Duration patience)
        throws MPIException {
        this.comm = comm;
        this.pause = pause.toNanos();
        submissions = new Submissions<>(comm.getRank());
        cycle = new ExchangeCycle<>(comm, allreduce, submissions, patience.toNanos());
        thread.setDaemon(true);
        thread.start();
    }

    /** Gives the tensor to the exchange until the future is complete: it then has the sum of all ranks' values. */
    public CompletableFuture<T> submit(T tensor) {
        return submissions.add(List.of(tensor)).get(0);
    }

    /** Submits tensors that are ready at the same time: no cycle begins between them. */
    public CompletableFuture<Void> submitAll(Collection<? extends T> tensors) {
        return CompletableFuture.allOf(submissions.add(tensors).toArray(new CompletableFuture<?>[0]));
    }

    /** Ends the exchange on all ranks. Tensors that wait for some rank by then fail, on the ranks that have them. */
    @Override
    public void close() {
        submissions.close();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            do {
                long next = cycle.begun() + (cycle.idle() ? IDLE : pause);
                submissions.await(next - System.nanoTime(), cycle.idle());
            } while (cycle.run());
            submissions.end(TensorTable.ranks(whoClosed())
                + " closed the exchange; wait for the sums of all tensors on all ranks before any rank closes it",
                null);
        } catch (Throwable e) {
            submissions.end("the exchange has failed: " + e, e);
        }
    }

    private List<Integer> whoClosed() throws MPIException {
        int[] closed = new int[comm.getSize()];
        closed[comm.getRank()] = submissions.closing() ? 1 : 0;
        comm.allGather(closed, 1, MPI.INT);
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < closed.length; rank++) {
            if (closed[rank] == 1) {
                ranks.add(rank);
            }
        }
        return ranks;
    }
}

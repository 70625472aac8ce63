package mpi.concurrent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * An executor whose threads are the other ranks of a communicator. Rank 0 submits tasks, all others do them:
 *
 * <pre>
 * try (MpiExecutor pool = MpiExecutor.over(MPI.COMM_WORLD)) {
 *     if (pool != null) { // rank 0; on the other ranks the call has returned after the pool was closed
 *         List&lt;Double&gt; results = pool.map(x -&gt; simulate(x), inputs);
 *     }
 * }
 * </pre>
 *
 * Tasks, inputs and results are sent as {@link MPI#OBJECT}, so their classes implement {@link java.io.Serializable},
 * and a rank accepts the classes that it accepts in other messages of objects. Lambdas are serializable where they are
 * passed to a method of this class. A rank that has nothing to do gets the next chunk of tasks.
 *
 * <p>
 * If a task throws, its future throws an {@link ExecutionException} whose cause is that very exception, with the stack
 * trace of its rank and an {@link OnRank} among the suppressed ones. If a rank dies, other ranks do its tasks again; a
 * task of which two ranks have died fails. For that, all ranks set {@link MPI#ERRORS_RETURN} on MPI.COMM_WORLD, else
 * the death ends the job at the latest in Finalize; and the launcher must go on, as mpjrun does. A task that runs
 * cannot be interrupted. Actions that are completed by futures run on this class's thread, so they should be short.
 * {@link java.util.concurrent.ExecutorCompletionService} wraps tasks so that they cannot be sent;
 * {@link CompletableFuture#anyOf} does its work. All methods may be called by any thread of rank 0. Not in MPI's
 * standard.
 */
public final class MpiExecutor extends AbstractExecutorService implements AutoCloseable {
    private final Intracomm comm;
    private final Dispatcher dispatcher;

    private MpiExecutor(Intracomm comm) throws MPIException {
        this.comm = comm;
        dispatcher = new Dispatcher(comm);
        Thread thread = new Thread(dispatcher, "MpiExecutor");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Makes an executor; all ranks of the communicator call it. On rank 0 it returns at once. All other ranks do tasks
     * in it, and return when rank 0 has closed the executor. A rank 0 that is alone does the tasks itself, on another
     * thread.
     *
     * @param comm is copied; messages of the program on it do not meet those of the executor
     * @return null on the ranks that do tasks
     * @throws MPIException ERR_PROC_FAILED on the ranks that do tasks if rank 0 has died
     */
    public static MpiExecutor over(Intracomm comm) throws MPIException {
        Intracomm own = comm.dup();
        own.setErrhandler(MPI.ERRORS_RETURN);
        if (own.getRank() == 0) {
            return new MpiExecutor(own);
        }
        new Worker(own).serve();
        own.free();
        return null;
    }

    /** The number of ranks that do tasks; it gets less as ranks die. */
    public int workers() {
        return dispatcher.workers();
    }

    // ---- tasks ----

    /** As {@link #submit(Callable)}, for lambdas. */
    public <T> CompletableFuture<T> submit(Task<T> task) {
        return submit((Callable<T>) task);
    }

    /** As {@link #submit(Runnable)}, for lambdas. */
    public CompletableFuture<?> submit(Action action) {
        return submit((Runnable) action);
    }

    /**
     * Lets a rank call it.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the task is not serializable, the executor has been
     * shut down, or all ranks that do tasks have died
     */
    @Override
    public <T> CompletableFuture<T> submit(Callable<T> task) {
        return start(RemoteTask.of(task));
    }

    /** As {@link #submit(Callable)}; the future gives null. */
    @Override
    public CompletableFuture<?> submit(Runnable action) {
        return submit(action, null);
    }

    /** As {@link #submit(Callable)}; the future gives {@code result}. */
    @Override
    public <T> CompletableFuture<T> submit(Runnable action, T result) {
        return start(RemoteTask.of(action, result));
    }

    private <T> RemoteTask<T> start(RemoteTask<T> task) {
        dispatcher.add(new Batch(null, List.of(task), 1));
        return task;
    }

    /** Lets a rank run it. What it throws goes to the uncaught-exception handler of a thread of this rank. */
    @Override
    public void execute(Runnable action) {
        if (action instanceof RemoteTask<?> task) {
            start(task);
            return;
        }
        submit(action).whenComplete((result, thrown) -> {
            if (thrown != null) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
            }
        });
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
        return RemoteTask.of(callable);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
        return RemoteTask.of(runnable, value);
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        List<RemoteTask<T>> futures = new ArrayList<>();
        for (Callable<T> task : tasks) {
            futures.add(RemoteTask.of(task));
        }
        add(null, futures, 0);
        for (RemoteTask<T> future : futures) {
            try {
                future.get();
            } catch (ExecutionException | CancellationException e) {
                // The caller asks the future.
            } catch (InterruptedException e) {
                futures.forEach(each -> each.cancel(false));
                throw e;
            }
        }
        return new ArrayList<>(futures);
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        try {
            return invokeAny(tasks, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e); // in 292 years
        }
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("there is no task; pass one or more");
        }
        CompletableFuture<T> first = new CompletableFuture<>();
        AtomicInteger open = new AtomicInteger(tasks.size());
        List<RemoteTask<T>> futures = new ArrayList<>();
        for (Callable<T> task : tasks) {
            RemoteTask<T> future = RemoteTask.of(task);
            future.whenComplete((result, thrown) -> {
                if (thrown == null) {
                    first.complete(result);
                } else if (open.decrementAndGet() == 0) {
                    first.completeExceptionally(thrown);
                }
            });
            futures.add(future);
        }
        add(null, futures, 1);
        try {
            return first.get(timeout, unit);
        } finally {
            futures.forEach(each -> each.cancel(false));
        }
    }

    // ---- maps ----

    /**
     * Applies a function to all inputs, in chunks that get shorter towards the end.
     *
     * @return the results, in the order of the inputs
     * @throws ExecutionException for the first input for which the function threw; inputs that no rank has got by then
     * are left out
     * @throws InterruptedException if this thread is interrupted meanwhile; likewise
     */
    public <T, R> List<R> map(MapFunction<? super T, ? extends R> function, Collection<? extends T> inputs)
        throws ExecutionException, InterruptedException {
        return map(function, inputs, 0);
    }

    /**
     * The same, in chunks of so many inputs.
     *
     * @param chunk 1 if the times differ much from input to input; more if each takes less than some 100 us
     */
    public <T, R> List<R> map(MapFunction<? super T, ? extends R> function, Collection<? extends T> inputs, int chunk)
        throws ExecutionException, InterruptedException {
        List<CompletableFuture<R>> futures = submitAll(function, inputs, chunk);
        List<R> results = new ArrayList<>(futures.size());
        try {
            awaitAllOrAFailure(futures);
            for (CompletableFuture<R> future : futures) {
                results.add(future.get());
            }
        } finally {
            if (results.size() < futures.size()) {
                futures.forEach(each -> each.cancel(false));
            }
        }
        return results;
    }

    /** So the caller wakes up once, and not for each future, which would keep a rank from its processor. */
    private static void awaitAllOrAFailure(List<? extends CompletableFuture<?>> futures) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger open = new AtomicInteger(futures.size());
        for (CompletableFuture<?> future : futures) {
            future.whenComplete((result, thrown) -> {
                if (open.decrementAndGet() == 0 || thrown != null) {
                    over.countDown();
                }
            });
        }
        if (!futures.isEmpty()) {
            over.await();
        }
    }

    /**
     * Begins what {@link #map} does.
     *
     * @param chunk inputs in a chunk; 0 for chunks that get shorter
     * @return a future for each input, in order; those of a chunk are complete when all of its inputs are
     */
    public <T, R> List<CompletableFuture<R>> submitAll(MapFunction<? super T, ? extends R> function,
        Collection<? extends T> inputs, int chunk) {
        if (chunk < 0) {
            throw new IllegalArgumentException("the chunk " + chunk + " is negative; pass 0 or more");
        }
        List<RemoteTask<R>> futures = new ArrayList<>(inputs.size());
        for (T input : inputs) {
            futures.add(RemoteTask.ofInput(input));
        }
        add(Objects.requireNonNull(function, "function"), futures, chunk);
        return new ArrayList<>(futures);
    }

    private void add(MapFunction<?, ?> mapping, List<? extends RemoteTask<?>> futures, int chunk) {
        if (!futures.isEmpty()) {
            dispatcher.add(new Batch(mapping == null ? null : new Batch.Mapping(mapping), futures, chunk));
        }
    }

    // ---- the end ----

    /** Takes no new tasks. When those that were submitted are done, the other ranks return from {@link #over}. */
    @Override
    public void shutdown() {
        dispatcher.close();
    }

    /** The same, without the tasks that no rank has got; tasks that run are not interrupted. */
    @Override
    public List<Runnable> shutdownNow() {
        dispatcher.close();
        return new ArrayList<>(dispatcher.drain());
    }

    @Override
    public boolean isShutdown() {
        return dispatcher.isClosing();
    }

    @Override
    public boolean isTerminated() {
        return dispatcher.hasEnded();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return dispatcher.awaitEnd(Math.max(1, unit.toMillis(timeout)));
    }

    /** Shuts down and waits for all tasks. If the thread is interrupted, tasks that no rank has got are left out. */
    @Override
    public void close() {
        shutdown();
        boolean interrupted = false;
        while (!dispatcher.hasEnded()) {
            try {
                dispatcher.awaitEnd(0);
            } catch (InterruptedException e) {
                interrupted = true;
                shutdownNow();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!comm.isNull()) {
            try {
                comm.free();
            } catch (MPIException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

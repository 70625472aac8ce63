package mpi.concurrent;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;

/** One task, as rank 0 keeps it: what is sent, and the future of its result. */
final class RemoteTask<T> extends CompletableFuture<T> implements RunnableFuture<T> {
    /** Enough for ranks that died of something else; a task that kills its rank ends all others one by one. */
    private static final int MOST_DEATHS = 2;

    /** A Callable or a Runnable, or the input of a {@link MapFunction}. */
    final Object sent;
    /** What a Runnable's future gives; null for all others. */
    private final T value;
    private final boolean isAction;
    /** The ranks that have died while they had it. */
    private List<Integer> deaths = List.of();

    private RemoteTask(Object sent, T value, boolean isAction) {
        this.sent = sent;
        this.value = value;
        this.isAction = isAction;
    }

    static <T> RemoteTask<T> of(Callable<T> callable) {
        return new RemoteTask<>(serializable(callable), null, false);
    }

    static <T> RemoteTask<T> of(Runnable runnable, T value) {
        return new RemoteTask<>(serializable(runnable), value, true);
    }

    static <T> RemoteTask<T> ofInput(Object input) {
        return new RemoteTask<>(input, null, false);
    }

    private static <F> F serializable(F function) {
        if (!(function instanceof Serializable)) {
            throw new RejectedExecutionException("the task " + function.getClass().getName()
                + " cannot be sent to another rank: let its class implement java.io.Serializable; pass a lambda to a"
                + " variable of type MpiExecutor, not ExecutorService, so that it is a mpi.concurrent.Task");
        }
        return function;
    }

    /** Runs it here. */
    @Override
    public void run() {
        try {
            succeed(Worker.perform(null, sent));
        } catch (Throwable e) {
            completeExceptionally(e);
        }
    }

    @SuppressWarnings("unchecked")
    void succeed(Object result) {
        complete(isAction ? value : (T) result);
    }

    /** A rank has died that had it. Whether it may be tried on another one; else it has failed. */
    boolean mayRunAgain(int rank, int size) {
        deaths = new ArrayList<>(deaths);
        deaths.add(rank);
        if (deaths.size() < MOST_DEATHS) {
            return true;
        }
        completeExceptionally(new IllegalStateException("ranks " + deaths + " of " + size
            + " died while they had this task, so it is not tried again; look at what mpjrun says of these ranks"));
        return false;
    }
}

package org.brigade.examples.tensors;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The tensors that this rank has submitted and that are not yet summed. All threads may call. */
final class Submissions<T extends NamedTensor> {
    /** @param since when it was submitted, by System.nanoTime */
    record Submission<T>(T tensor, CompletableFuture<T> sum, long since) {
    }

    private final int rank;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Submission<T>> waiting = new LinkedHashMap<>();
    private boolean closing;
    /** Why nothing is exchanged any more; null while the exchange runs. */
    private String end;
    private Throwable cause;

    Submissions(int rank) {
        this.rank = rank;
    }

    /** Adds all or, if one of them is wrong, none. */
    List<CompletableFuture<T>> add(Collection<? extends T> tensors) {
        lock.lock();
        try {
            Map<String, Submission<T>> added = new LinkedHashMap<>();
            for (T tensor : tensors) {
                Submission<T> submission = new Submission<>(tensor, new CompletableFuture<>(), System.nanoTime());
                refuse(tensor.name(), waiting.containsKey(tensor.name())
                    || added.put(tensor.name(), submission) != null);
            }
            waiting.putAll(added);
            changed.signalAll();
            return added.values().stream().map(Submission::sum).toList();
        } finally {
            lock.unlock();
        }
    }

    private void refuse(String name, boolean twice) {
        if (end != null) {
            throw new IllegalStateException("submit: rank " + rank + " gives tensor " + name + ", but " + end, cause);
        }
        if (closing) {
            throw new IllegalStateException("submit: rank " + rank + " gives tensor " + name
                + " after it has closed the exchange; close it behind the last tensor");
        }
        if (twice) {
            throw new IllegalStateException("submit: rank " + rank + " gives tensor " + name
                + " a second time before it is summed; wait for its sum first, or give the two different names");
        }
    }

    List<Submission<T>> list() {
        lock.lock();
        try {
            return new ArrayList<>(waiting.values());
        } finally {
            lock.unlock();
        }
    }

    Submission<T> remove(String name) {
        lock.lock();
        try {
            return waiting.remove(name);
        } finally {
            lock.unlock();
        }
    }

    /** Returns after so many ns; at once when this rank closes; if {@code orAny}, as soon as a tensor is there. */
    void await(long nanos, boolean orAny) {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && !closing && !(orAny && !waiting.isEmpty())) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("the thread that exchanges tensors was interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean closing() {
        lock.lock();
        try {
            return closing;
        } finally {
            lock.unlock();
        }
    }

    /** Fails all that waits, and all that will be submitted. */
    void end(String why, Throwable because) {
        List<Submission<T>> left;
        lock.lock();
        try {
            end = why;
            cause = because;
            left = list();
            waiting.clear();
        } finally {
            lock.unlock();
        }
        for (Submission<T> submission : left) {
            submission.sum().completeExceptionally(new IllegalStateException("allreduce of tensor "
                + submission.tensor().name() + ": rank " + rank + " still waits for it, but " + why, because));
        }
    }
}

package mpi.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/**
 * Rank 0's side: hands chunks to workers that have none, and completes the futures. Whoever submits sends, if a worker
 * is idle; a thread of this class waits for answers and sends to the worker that has answered. All fields are guarded
 * by this object's lock.
 */
final class Dispatcher implements Runnable {
    private final Intracomm comm;
    private final int size;
    private final ArrayDeque<Batch> waiting = new ArrayDeque<>();
    private final ArrayDeque<Integer> idle = new ArrayDeque<>();
    /** By rank: what it has, null if it is idle or dead. */
    private final Batch.Chunk[] running;
    /** By rank: whose function was sent to it last. */
    private final Batch.Mapping[] mappings;
    private final boolean[] dead;
    private int busy;
    private int alive;
    private boolean closing;
    private boolean ended;
    /** Why no call works any more; null if they do. */
    private Throwable lost;

    Dispatcher(Intracomm comm) throws MPIException {
        this.comm = comm;
        size = comm.getSize();
        running = new Batch.Chunk[size];
        mappings = new Batch.Mapping[size];
        dead = new boolean[size];
        alive = size - 1;
        for (int rank = 1; rank < size; rank++) {
            idle.add(rank);
        }
    }

    /** A rank that is alone does the tasks itself. */
    private boolean isAlone() {
        return size == 1;
    }

    synchronized int workers() {
        return isAlone() ? 1 : alive;
    }

    synchronized void add(Batch batch) {
        if (closing) {
            throw new RejectedExecutionException("this MpiExecutor has been shut down; submit tasks before that");
        }
        requireWorkers();
        waiting.add(batch);
        handOut();
    }

    private void requireWorkers() {
        if (lost != null || !isAlone() && alive == 0) {
            throw new RejectedExecutionException(lost != null ? "the executor's communicator has failed: " + lost
                : noWorker(), lost);
        }
    }

    private String noWorker() {
        return "all ranks but 0 of " + size + " have died, so nobody is left to do tasks; start the job anew";
    }

    // ---- handing out ----

    private Batch.Chunk next() {
        while (!waiting.isEmpty()) {
            Batch.Chunk chunk = waiting.peek().take(Math.max(1, alive));
            if (chunk != null) {
                return chunk;
            }
            waiting.remove();
        }
        return null;
    }

    private void handOut() {
        while (!idle.isEmpty()) {
            Batch.Chunk chunk = next();
            if (chunk == null) {
                break;
            }
            int rank = idle.remove();
            running[rank] = chunk;
            busy++;
            try {
                send(chunk, rank);
            } catch (RuntimeException | Error e) { // also of the program's writeObject
                if (e instanceof MPIException wrong && wrong.getErrorClass() == MPI.ERR_PROC_FAILED) {
                    bury(rank);
                } else {
                    release(rank);
                    refuse(chunk, e);
                }
            }
        }
        notifyAll();
    }

    private void send(Batch.Chunk chunk, int rank) throws MPIException {
        Batch.Mapping mapping = chunk.mapping();
        if (mapping != null && mapping != mappings[rank]) {
            mappings[rank] = null;
            comm.send(new Object[] {mapping.function()}, 1, MPI.OBJECT, rank, Worker.FUNCTION);
            mappings[rank] = mapping;
        }
        Object[] inputs = chunk.inputs();
        byte[] plain = mapping == null ? null : PlainValues.encode(inputs);
        if (plain != null) {
            comm.send(plain, plain.length, MPI.BYTE, rank, Worker.PLAIN);
        } else {
            comm.send(new Object[] {inputs}, 1, MPI.OBJECT, rank, mapping == null ? Worker.TASKS : Worker.CHUNK);
        }
    }

    private void release(int rank) {
        running[rank] = null;
        busy--;
        idle.add(rank);
    }

    /** A chunk could not be sent, or not be read: its tasks are tried one by one, and those fail that are to blame. */
    private void refuse(Batch.Chunk chunk, Throwable why) {
        if (chunk.tasks().size() > 1) {
            waiting.addFirst(chunk.split());
        } else {
            chunk.tasks().get(0).completeExceptionally(why);
        }
    }

    // ---- deaths ----

    private void bury(int rank) {
        if (dead[rank]) {
            return;
        }
        dead[rank] = true;
        alive--;
        idle.remove(rank);
        Batch.Chunk chunk = running[rank];
        if (chunk != null) {
            running[rank] = null;
            busy--;
            List<RemoteTask<?>> again = new ArrayList<>(chunk.tasks());
            again.removeIf(task -> task.isDone() || !task.mayRunAgain(rank, size));
            waiting.addFirst(new Batch.Chunk(chunk.mapping(), again).split());
        }
        if (alive == 0) {
            failAll(new IllegalStateException(noWorker()));
        }
    }

    private void failAll(Throwable why) {
        for (RemoteTask<?> task : drain()) {
            task.completeExceptionally(why);
        }
    }

    private synchronized void buryDead(MPIException error) {
        try {
            if (error.getErrorClass() != MPI.ERR_PROC_FAILED) {
                throw error;
            }
            Group failed = comm.getFailed();
            int[] numbers = new int[failed.getSize()];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = i;
            }
            int[] ranks = Group.translateRanks(failed, numbers, comm.getGroup());
            comm.ackFailed(numbers.length);
            for (int rank : ranks) {
                if (rank != 0 && !(running[rank] != null && hasAnswered(rank))) {
                    bury(rank);
                }
            }
            handOut();
        } catch (MPIException e) {
            lost = e;
            for (int rank = 0; rank < size; rank++) {
                if (running[rank] != null) {
                    waiting.add(running[rank].split());
                    running[rank] = null;
                }
            }
            busy = 0;
            idle.clear();
            failAll(e);
        }
    }

    /** Whether a rank that has died has answered before: its next chunk will tell of the death. */
    private boolean hasAnswered(int rank) {
        try {
            return comm.iProbe(rank, MPI.ANY_TAG) != null;
        } catch (MPIException e) {
            return false;
        }
    }

    // ---- answers ----

    @Override
    public void run() {
        while (awaitWork()) {
            if (isAlone()) {
                work();
                continue;
            }
            Status status;
            try {
                status = comm.probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
            } catch (MPIException e) {
                buryDead(e);
                continue;
            }
            int rank = status.getSource();
            Object[] answer;
            try {
                answer = (Object[]) Worker.receive(comm, status);
            } catch (RuntimeException | Error e) { // also of the program's readObject
                fail(rank, e);
                continue;
            }
            if (status.getTag() == Worker.PLAIN) {
                complete(rank, new boolean[answer.length], answer);
            } else if (answer[0] == null) {
                refuseBy(rank, (Throwable) answer[1]);
            } else {
                complete(rank, (boolean[]) answer[0], (Object[]) answer[1]);
            }
        }
    }

    /** Returns when there is something to wait for; false if there never will be. */
    private synchronized boolean awaitWork() {
        while (busy == 0 && !(isAlone() && !waiting.isEmpty())) {
            if (closing && waiting.isEmpty()) {
                stopWorkers();
                ended = true;
                notifyAll();
                return false;
            }
            try {
                wait();
            } catch (InterruptedException e) {
                // Nobody should: the thread is this class's own.
            }
        }
        return true;
    }

    private void stopWorkers() {
        for (int rank : idle) {
            try {
                comm.send(new byte[0], 0, MPI.BYTE, rank, Worker.STOP);
            } catch (MPIException e) {
                // It has died.
            }
        }
    }

    private void work() {
        Batch.Chunk chunk;
        synchronized (this) {
            chunk = next();
        }
        if (chunk != null) {
            for (RemoteTask<?> task : chunk.tasks()) {
                try {
                    task.succeed(Worker.perform(chunk.function(), task.sent));
                } catch (Throwable e) {
                    task.completeExceptionally(e);
                }
            }
        }
    }

    private void complete(int rank, boolean[] failed, Object[] values) {
        Batch.Chunk chunk;
        synchronized (this) {
            chunk = running[rank];
            release(rank);
            busy++; // until the futures are complete
            handOut();
        }
        for (int i = 0; i < values.length; i++) {
            if (failed[i]) {
                Throwable thrown = (Throwable) values[i];
                thrown.addSuppressed(new OnRank(rank, size));
                chunk.tasks().get(i).completeExceptionally(thrown);
            } else {
                chunk.tasks().get(i).succeed(values[i]);
            }
        }
        synchronized (this) {
            busy--;
        }
    }

    private synchronized void refuseBy(int rank, Throwable why) {
        Batch.Chunk chunk = running[rank];
        release(rank);
        refuse(chunk, why);
        handOut();
    }

    /** An answer that cannot be read: the tasks have run, so they are not tried again. */
    private synchronized void fail(int rank, Throwable why) {
        Batch.Chunk chunk = running[rank];
        if (why instanceof MPIException wrong && wrong.getErrorClass() == MPI.ERR_PROC_FAILED) {
            bury(rank);
        } else {
            release(rank);
            chunk.tasks().forEach(task -> task.completeExceptionally(why));
        }
        handOut();
    }

    // ---- the end ----

    synchronized void close() {
        closing = true;
        notifyAll();
    }

    synchronized List<RemoteTask<?>> drain() {
        List<RemoteTask<?>> left = new ArrayList<>();
        waiting.forEach(batch -> left.addAll(batch.drain()));
        waiting.clear();
        return left;
    }

    synchronized boolean isClosing() {
        return closing;
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Waits for the end, at most some milliseconds; 0 is for ever. */
    synchronized boolean awaitEnd(long millis) throws InterruptedException {
        long deadline = System.currentTimeMillis() + millis;
        while (!ended) {
            long left = deadline - System.currentTimeMillis();
            if (millis > 0 && left <= 0) {
                return false;
            }
            wait(millis == 0 ? 0 : left);
        }
        return true;
    }
}

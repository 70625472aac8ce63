package org.brigade.verify.straight;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.brigade.verify.Wrong;

/**
 * Ranks that are threads of which one runs at a time. Before each operation that others can see, and when a rank must
 * wait, an {@link Order} says which rank goes on, so a run depends on that alone.
 */
final class Interleaving {
    /** Says who goes on. */
    interface Order {
        /**
         * @param current the rank that runs now; -1 if it cannot go on
         * @param ready the ranks that can, in order; so many of them count
         * @return a place in {@code ready}
         */
        int choose(int current, int[] ready, int count);
    }

    /** What a rank does. */
    interface Body {
        void run(int rank);
    }

    /** Ends a rank's thread because another one has failed. */
    private static final class Aborted extends Error {
        private static final long serialVersionUID = 1;

        Aborted() {
            super("another rank has failed", null, false, false);
        }
    }

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(body -> {
        Thread thread = new Thread(body, "verified rank");
        thread.setDaemon(true);
        return thread;
    });

    private final int ranks;
    private final Order order;
    private final Thread[] threads;
    private final boolean[] blocked;
    private final boolean[] ended;
    /** By rank: what it waits for, in words. */
    private final String[] waits;
    private final int[] ready;
    private final CountDownLatch left;
    private volatile int turn = -1;
    private volatile Throwable failure;

    Interleaving(int ranks, Order order) {
        this.ranks = ranks;
        this.order = order;
        threads = new Thread[ranks];
        blocked = new boolean[ranks];
        ended = new boolean[ranks];
        waits = new String[ranks];
        ready = new int[ranks];
        left = new CountDownLatch(ranks);
    }

    /** Runs all ranks to their ends. Throws what the first one that failed has thrown. */
    void run(Body body) {
        CountDownLatch begun = new CountDownLatch(ranks);
        for (int r = 0; r < ranks; r++) {
            int rank = r;
            THREADS.execute(() -> {
                threads[rank] = Thread.currentThread();
                begun.countDown();
                try {
                    awaitTurn(rank);
                    body.run(rank);
                    ended[rank] = true;
                    goOn(-1);
                } catch (Aborted another) {
                    // told by the rank that failed
                } catch (Throwable failed) {
                    fail(failed);
                } finally {
                    left.countDown();
                }
            });
        }
        await(begun);
        goOn(-1);
        await(left);
        if (failure instanceof RuntimeException wrong) {
            throw wrong;
        }
        if (failure instanceof Error wrong) {
            throw wrong;
        }
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The rank is about to do what others can see. */
    void point(int rank) {
        if (failure != null) {
            throw new Aborted();
        }
        goOn(rank);
        awaitTurn(rank);
    }

    /** The rank waits until another one {@linkplain #wake wakes} it. */
    void block(int rank, String what) {
        if (failure != null) {
            throw new Aborted();
        }
        blocked[rank] = true;
        waits[rank] = what;
        goOn(-1);
        awaitTurn(rank);
    }

    /** What a rank waits for may have come. */
    void wake(int rank) {
        blocked[rank] = false;
    }

    private void goOn(int current) {
        int count = 0;
        boolean all = true;
        for (int rank = 0; rank < ranks; rank++) {
            all &= ended[rank];
            if (!ended[rank] && !blocked[rank]) {
                ready[count++] = rank;
            }
        }
        if (count > 0) {
            int next = count == 1 ? ready[0] : ready[order.choose(current, ready, count)];
            turn = next;
            if (next != current) {
                LockSupport.unpark(threads[next]);
            }
        } else if (!all) {
            StringBuilder what = new StringBuilder("all ranks that have not ended wait");
            for (int rank = 0; rank < ranks; rank++) {
                if (!ended[rank]) {
                    what.append("; rank ").append(rank).append(" for ").append(waits[rank]);
                }
            }
            Wrong deadlock = new Wrong(what.toString());
            fail(deadlock); // before the code that waits can throw something else
            throw deadlock;
        }
    }

    private void awaitTurn(int rank) {
        while (turn != rank) {
            if (failure != null) {
                throw new Aborted();
            }
            LockSupport.park(this);
        }
        if (failure != null) {
            throw new Aborted();
        }
    }

    private synchronized void fail(Throwable failed) {
        if (failure == null) {
            failure = failed;
            for (Thread thread : threads) {
                LockSupport.unpark(thread);
            }
        }
    }
}

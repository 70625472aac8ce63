package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import mpi.MPIException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The lock while it is biased to its first thread, when another one comes, and afterwards. */
class ProgressLockTest {
    private static final int ROUNDS = 100;
    private static final int LOCKS = 3000;

    private final ExecutorService others = Executors.newCachedThreadPool();
    private ProgressLock lock = new ProgressLock();
    /** What the lock guards. */
    private long sum;

    @AfterEach
    void end() throws InterruptedException {
        others.shutdown();
        assertTrue(others.awaitTermination(60, TimeUnit.SECONDS));
    }

    @Test
    void aThreadThatHoldsItIsToldSo() {
        for (int way = 0; way < 2; way++) { // by compare-and-set, then by the bias
            lock.lock();
            MPIException error = assertThrows(MPIException.class, lock::lock);
            assertTrue(error.getMessage().contains("from within a user-defined operation"), error.getMessage());
            assertFalse(lock.tryLock());
            lock.unlock();
        }
        assertTrue(lock.tryLock());
        lock.unlock();
        assertFalse(lock.isContended());
    }

    @Test
    void aThreadThatIsInsideByItsBiasKeepsOthersOutUntilItLeaves() throws Exception {
        lock.lock();
        lock.unlock();
        lock.lock();
        assertFalse(elsewhere(lock::tryLock));
        assertThrows(MPIException.class, lock::lock, "the bias has ended, and it is still inside");
        CompletableFuture<Long> seen = CompletableFuture.supplyAsync(() -> {
            lock.lock();
            long now = sum;
            lock.unlock();
            return now;
        }, others);
        while (!lock.isContended()) {
            Thread.onSpinWait();
        }
        assertFalse(seen.isDone());
        sum = 1;
        lock.unlock();
        assertEquals(1, seen.get(60, TimeUnit.SECONDS));
        lock.lock();
        assertThrows(MPIException.class, lock::lock);
        lock.unlock();
    }

    @Test
    void aThreadThatHasEndedLeavesItToOthers() throws Exception {
        Thread first = new Thread(() -> {
            for (int i = 0; i < 2; i++) {
                lock.lock();
                lock.unlock();
            }
        });
        first.start();
        first.join();
        lock.lock();
        assertFalse(elsewhere(lock::tryLock));
        lock.unlock();
        assertTrue(elsewhere(() -> {
            boolean free = lock.tryLock();
            lock.unlock();
            return free;
        }));
    }

    @Test
    void noThreadLosesWhatAnotherHasWritten() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            lock = new ProgressLock();
            sum = 0;
            ProgressLock shared = lock;
            CountDownLatch begun = new CountDownLatch(1);
            CompletableFuture<?> first = CompletableFuture.runAsync(() -> add(shared, LOCKS, begun), others);
            assertTrue(begun.await(60, TimeUnit.SECONDS));
            CompletableFuture<?> second = CompletableFuture.runAsync(() -> add(shared, LOCKS, begun), others);
            CompletableFuture<?> third = CompletableFuture.runAsync(() -> tryToAdd(shared), others);
            CompletableFuture.allOf(first, second, third).get(60, TimeUnit.SECONDS);
            shared.lock();
            assertEquals(3L * LOCKS, sum, "round " + round);
            shared.unlock();
        }
    }

    private void add(ProgressLock shared, int times, CountDownLatch begun) {
        for (int i = 0; i < times; i++) {
            shared.lock();
            sum++;
            shared.unlock();
            if (i == times / 4) {
                begun.countDown();
            }
        }
    }

    private void tryToAdd(ProgressLock shared) {
        for (int i = 0; i < LOCKS;) {
            if (shared.tryLock()) {
                sum++;
                shared.unlock();
                i++;
            } else {
                Thread.yield();
            }
        }
    }

    private boolean elsewhere(Callable<Boolean> what) throws Exception {
        return others.submit(what).get(60, TimeUnit.SECONDS);
    }
}

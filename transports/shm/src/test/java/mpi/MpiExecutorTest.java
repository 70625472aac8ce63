package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import mpi.concurrent.Action;
import mpi.concurrent.MapFunction;
import mpi.concurrent.MpiExecutor;
import mpi.concurrent.OnRank;
import mpi.concurrent.Task;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import mpi.spi.Provider;
import org.brigade.communicator.BrigadeProvider;
import org.brigade.communicator.Jobs;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.Endpoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An executor over ranks that are threads. */
@Timeout(120)
@Tag("once")
class MpiExecutorTest {
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final AtomicInteger DEATHS = new AtomicInteger();
    private static final List<String> THREADS = Collections.synchronizedList(new ArrayList<>());
    private static final ThreadLocal<Death> DEATH = new ThreadLocal<>();
    private static volatile CountDownLatch begun = new CountDownLatch(0);
    private static volatile CountDownLatch gate = new CountDownLatch(0);

    private interface Master {
        void run(MpiExecutor pool) throws Exception;
    }

    private interface Death {
        void come() throws InterruptedException;
    }

    private static final class Hidden {
    }

    private static final class UnsendableException extends Exception {
        private static final long serialVersionUID = 1;
        private final Hidden hidden = new Hidden();

        UnsendableException(String text) {
            super(text);
        }

        @Override
        public String toString() {
            return "unsendable " + getMessage() + (hidden == null ? "?" : "");
        }
    }

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
        JobState.pretend(new BrigadeProvider());
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
        JobState.pretend((Provider) null);
    }

    private static void run(int ranks, Master master) throws Exception {
        Endpoint[] endpoints = Jobs.WIDE.endpoints(ranks, 0);
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch workers = new CountDownLatch(ranks - 1); // that have died or been told to stop
        ThreadJob.run(endpoints, (provider, lower) -> {
            boolean[] dead = new boolean[1];
            DEATH.set(() -> {
                dead[0] = true;
                workers.countDown();
                endpoints[lower.rank()].exiting();
                over.await(); // the thread itself must end after the others
            });
            try (MpiExecutor pool = MpiExecutor.over(new Intracomm(Handle.of(lower)))) {
                if (pool != null) {
                    master.run(pool);
                }
            } catch (MPIException e) {
                if (!dead[0]) {
                    throw e;
                }
            } finally {
                if (lower.rank() > 0) {
                    if (!dead[0]) {
                        workers.countDown();
                    }
                } else {
                    workers.await();
                    endpoints[0].exiting();
                    over.countDown();
                }
            }
        });
    }

    private static int squareOf(int x) {
        CALLS.incrementAndGet();
        THREADS.add(Thread.currentThread().getName());
        return x * x;
    }

    private static int throwing(int x) throws Exception {
        if (x == 7) {
            throw new IOException("seven");
        }
        if (x == 8) {
            throw new UnsendableException("eight");
        }
        return x;
    }

    private static int waitAtGate(int x) throws InterruptedException {
        begun.countDown();
        gate.await();
        return x;
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @ParameterizedTest
    @CsvSource({"1,0", "1,3", "2,0", "4,0", "4,1", "4,1000", "5,7"})
    void aMapsResultsAreInTheOrderOfTheInputs(int ranks, int chunk) throws Exception {
        CALLS.set(0);
        THREADS.clear();
        run(ranks, pool -> {
            assertEquals(Math.max(1, ranks - 1), pool.workers());
            List<Integer> expected = upTo(300).stream().map(x -> x * x).toList();
            assertEquals(expected, pool.map(x -> squareOf(x), upTo(300), chunk));
            assertEquals(List.of(), pool.map(x -> x, List.of()));
        });
        assertEquals(300, CALLS.get());
        assertFalse(THREADS.contains("rank 0"), "the thread that submits does no task");
    }

    @Test
    void allThatAnExecutorServiceDoesWorks() throws Exception {
        run(3, pool -> {
            ExecutorService service = pool;
            int captured = 5;
            assertEquals(6, pool.submit(() -> captured + 1).get());
            assertEquals(6, service.submit((Task<Integer>) () -> captured + 1).get());
            CALLS.set(0);
            assertNull(pool.submit(() -> {
                CALLS.incrementAndGet();
            }).get());
            assertEquals("done", pool.submit((Action) () -> CALLS.incrementAndGet(), "done").get());
            assertEquals(2, CALLS.get());
            List<Task<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                int number = i;
                tasks.add(() -> squareOf(number));
            }
            List<Integer> results = new ArrayList<>();
            for (Future<Integer> each : service.invokeAll(tasks)) {
                results.add(each.get());
            }
            assertEquals(upTo(40).stream().map(x -> x * x).toList(), results);
            assertEquals(0, Math.sqrt(service.invokeAny(tasks)) % 1);
            assertEquals("[0, 1]", pool.submit(() -> List.of(0, 1)).thenApply(List::toString).get());
        });
    }

    @Test
    void anExceptionHasTheStackTraceOfItsRank() throws Exception {
        run(3, pool -> {
            List<CompletableFuture<Integer>> futures = pool.submitAll(x -> throwing(x), upTo(10), 5);
            for (int i = 0; i < 7; i++) {
                assertEquals(i, futures.get(i).get());
            }
            Throwable seven = assertThrows(ExecutionException.class, () -> futures.get(7).get()).getCause();
            assertInstanceOf(IOException.class, seven);
            assertEquals("throwing", seven.getStackTrace()[0].getMethodName());
            OnRank where = assertInstanceOf(OnRank.class, seven.getSuppressed()[0]);
            assertTrue(where.rank() > 0 && where.rank() < 3, where::getMessage);
            Throwable eight = assertThrows(ExecutionException.class, () -> futures.get(8).get()).getCause();
            assertEquals("unsendable eight", eight.getMessage());
            assertEquals("throwing", eight.getStackTrace()[0].getMethodName());
            assertEquals(9, futures.get(9).get());
            ExecutionException first =
                assertThrows(ExecutionException.class, () -> pool.map(x -> throwing(x), upTo(10)));
            assertEquals(seven.getMessage(), first.getCause().getMessage());
        });
    }

    @Test
    void whatCannotBeSentFailsAlone() throws Exception {
        run(3, pool -> {
            ExecutorService service = pool;
            Callable<Integer> local = () -> 1;
            String refused = assertThrows(RejectedExecutionException.class, () -> service.submit(local)).getMessage();
            assertTrue(refused.contains("java.io.Serializable"), refused);
            List<Object> inputs = new ArrayList<>(upTo(20));
            inputs.set(11, new Hidden());
            List<CompletableFuture<String>> futures = pool.submitAll(x -> "got " + x, inputs, 5);
            for (int i = 0; i < 20; i++) {
                if (i != 11) {
                    assertEquals("got " + i, futures.get(i).get());
                }
            }
            String input = assertThrows(ExecutionException.class, () -> futures.get(11).get()).getMessage();
            assertTrue(input.contains("Hidden cannot be sent"), input);
            List<CompletableFuture<Object>> results =
                pool.submitAll(x -> x == 3 ? new Hidden() : x, upTo(5), 5);
            assertEquals(4, results.get(4).get());
            String result = assertThrows(ExecutionException.class, () -> results.get(3).get()).getMessage();
            assertTrue(result.contains("the task's result, of class") && result.contains("Hidden"), result);
        });
    }

    /** What a program's own writeObject, readObject and toString throw fails one task, and no rank. */
    private static final class Hostile implements Serializable {
        private static final long serialVersionUID = 1;
        private final boolean whenRead;

        Hostile(boolean whenRead) {
            this.whenRead = whenRead;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            if (!whenRead) {
                throw new IllegalStateException("not written");
            }
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) {
            throw new IllegalStateException("not read");
        }
    }

    private static final class MuteException extends Exception {
        private static final long serialVersionUID = 1;
        private final transient Object hidden = new Hidden();
        private final Object alsoHidden = hidden;

        @Override
        public String toString() {
            throw new IllegalStateException("mute " + (alsoHidden == null));
        }
    }

    private static int muteIn(int x) throws Exception {
        if (x == 3) {
            MuteException first = new MuteException();
            first.initCause(new UnsendableException("cycle").initCause(first));
            throw first;
        }
        return x;
    }

    @Test
    void whatTheProgramsOwnSerializationThrowsFailsOneTask() throws Exception {
        run(3, pool -> {
            for (boolean whenRead : new boolean[] {false, true}) {
                List<Object> inputs = new ArrayList<>(upTo(6));
                inputs.set(2, new Hostile(whenRead));
                List<CompletableFuture<String>> futures = pool.submitAll(x -> "got " + x, inputs, 6);
                assertEquals("got 5", futures.get(5).get());
                String input = assertThrows(ExecutionException.class, () -> futures.get(2).get()).getMessage();
                assertTrue(input.contains(whenRead ? "not read" : "not written"), input);
            }
            List<CompletableFuture<Object>> results =
                pool.submitAll(x -> x == 1 ? new Hostile(false) : x, upTo(3), 3);
            assertEquals(2, results.get(2).get());
            String result = assertThrows(ExecutionException.class, () -> results.get(1).get()).getMessage();
            assertTrue(result.contains("not written"), result);
            Future<Object> unread = pool.submit(() -> new Hostile(true));
            assertThrows(ExecutionException.class, unread::get);
            List<CompletableFuture<Integer>> mute = pool.submitAll(x -> muteIn(x), upTo(5), 5);
            assertEquals(4, mute.get(4).get());
            String thrown = assertThrows(ExecutionException.class, () -> mute.get(3).get()).getMessage();
            assertTrue(thrown.contains("MuteException"), thrown);
            assertEquals(2, pool.workers());
            assertNull(pool.submit((Task<Object>) () -> null).get());
        });
    }

    /** A function that counts how often it is read, and may refuse to be. */
    private static final class Plus implements MapFunction<Integer, Integer> {
        private static final long serialVersionUID = 1;
        private static final AtomicInteger READ = new AtomicInteger();
        private int addend;

        Plus(int addend) {
            this.addend = addend;
        }

        @Override
        public Integer apply(Integer x) {
            return x + addend;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            READ.incrementAndGet();
            in.defaultReadObject();
            if (addend < 0) {
                throw new IllegalStateException("negative");
            }
        }
    }

    @Test
    void aFunctionIsSentToEachRankOnceAMap() throws Exception {
        Plus.READ.set(0);
        run(3, pool -> {
            Plus plus = new Plus(1);
            assertEquals(upTo(101).subList(1, 101), pool.map(plus, upTo(100), 1));
            plus.addend = 5;
            assertEquals(upTo(105).subList(5, 105), pool.map(plus, upTo(100), 3), "as it is at the next call");
            assertTrue(Plus.READ.get() <= 4, () -> Plus.READ + " reads on 2 ranks for 2 maps");
            for (CompletableFuture<Integer> future : pool.submitAll(new Plus(-1), upTo(10), 3)) {
                String failure = assertThrows(ExecutionException.class, future::get).getMessage();
                assertTrue(failure.contains("negative"), failure);
            }
            List<CompletableFuture<Integer>> one = pool.submitAll(new Plus(1), upTo(50), 1);
            List<CompletableFuture<Integer>> two = pool.submitAll(new Plus(2), upTo(50), 1);
            for (int i = 0; i < 50; i++) {
                assertEquals(6, pool.submit(() -> 6).get());
                assertEquals(i + 1, one.get(i).get());
                assertEquals(i + 2, two.get(i).get());
            }
        });
    }

    @Test
    void valuesArriveAsTheyWere() throws Exception {
        long odd = 0xfff8_0000_0000_0123L; // a NaN
        List<Object> values = new ArrayList<>(Arrays.asList(null, true, false, Integer.MIN_VALUE, Long.MIN_VALUE,
            -0.0, "", "\u00f6\0\ud800", "\uffff".repeat(20_000), "x".repeat(20_001)));
        List<Object> objects = List.of((short) 1, 'c', 1.5f, List.of(1, "a"));
        run(3, pool -> {
            for (int chunk : new int[] {1, 4, 100}) {
                assertEquals(values, pool.map(x -> x, values, chunk));
                List<Object> mixed = new ArrayList<>(values);
                mixed.addAll(objects);
                assertEquals(mixed, pool.map(x -> x, mixed, chunk));
                Double nan = pool.map(x -> x, List.of(Double.longBitsToDouble(odd)), chunk).get(0);
                assertEquals(odd, Double.doubleToRawLongBits(nan));
                List<String> many = Collections.nCopies(100, "\uffff".repeat(20_000)); // 6 MB
                assertEquals(many, pool.map(x -> x, many, chunk));
            }
        });
    }

    /** Whoever waits in map is interrupted: what nobody has begun is left out, and the next map is whole. */
    @Test
    void anInterruptedMapLeavesTheExecutorWhole() throws Exception {
        begun = new CountDownLatch(2);
        gate = new CountDownLatch(1);
        run(3, pool -> {
            Thread submitter = Thread.currentThread();
            Thread interrupter = new Thread(() -> {
                try {
                    begun.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                submitter.interrupt();
            });
            interrupter.start();
            assertThrows(InterruptedException.class, () -> pool.map(x -> waitAtGate(x), upTo(50), 1));
            gate.countDown();
            assertEquals(upTo(50), pool.map(x -> x, upTo(50), 1));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 0})
    void tasksOfARankThatDiesAreDoneElsewhere(int chunk) throws Exception {
        DEATHS.set(0);
        run(4, pool -> {
            assertEquals(upTo(100), pool.map(x -> dieOnce(x), upTo(100), chunk));
            assertEquals(2, pool.workers());
        });
        assertEquals(2, DEATHS.get(), "once to die, and once on another rank");
    }

    private static int dieOnce(int x) throws InterruptedException {
        if (x == 40 && DEATHS.getAndIncrement() == 0) {
            die();
        }
        return x;
    }

    private static int die() throws InterruptedException {
        DEATH.get().come();
        return 0;
    }

    @Test
    void aTaskThatKillsItsRanksFailsAndTheOthersSucceed() throws Exception {
        run(5, pool -> {
            List<CompletableFuture<Integer>> futures = pool.submitAll(x -> x == 3 ? die() : x, upTo(20), 10);
            for (int i = 0; i < 20; i++) {
                if (i != 3) {
                    assertEquals(i, futures.get(i).get());
                }
            }
            String failure = assertThrows(ExecutionException.class, () -> futures.get(3).get()).getMessage();
            assertTrue(failure.contains("died while they had this task"), failure);
            assertEquals(2, pool.workers());
        });
    }

    @Test
    void ifAllDieThatIsSaid() throws Exception {
        run(2, pool -> {
            Future<Integer> last = pool.submit(() -> die());
            Future<Integer> next = pool.submit(() -> 1);
            String failure = assertThrows(ExecutionException.class, last::get).getMessage();
            assertTrue(failure.contains("all ranks but 0 of 2 have died"), failure);
            assertThrows(ExecutionException.class, next::get);
            assertThrows(RejectedExecutionException.class, () -> pool.submit(() -> 2));
        });
    }

    @Test
    void shutdownNowGivesBackWhatNobodyHasBegun() throws Exception {
        begun = new CountDownLatch(2);
        gate = new CountDownLatch(1);
        run(3, pool -> {
            List<CompletableFuture<Integer>> futures = pool.submitAll(x -> waitAtGate(x), upTo(10), 1);
            begun.await();
            assertTrue(futures.get(9).cancel(false));
            assertEquals(7, pool.shutdownNow().size());
            assertThrows(RejectedExecutionException.class, () -> pool.submit(() -> 1));
            assertFalse(pool.awaitTermination(20, TimeUnit.MILLISECONDS));
            gate.countDown();
            assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
            assertEquals(1, futures.get(1).get());
            assertTrue(pool.isTerminated());
        });
    }

    @Test
    void manyThreadsSubmitAtOnce() throws Exception {
        run(4, pool -> {
            List<Thread> threads = new ArrayList<>();
            AtomicInteger right = new AtomicInteger();
            for (int i = 0; i < 8; i++) {
                int number = i;
                threads.add(new Thread(() -> {
                    try {
                        for (int j = 0; j < 50; j++) {
                            int input = 50 * number + j;
                            if (pool.submit(() -> input * 2).get() == 2 * input) {
                                right.incrementAndGet();
                            }
                        }
                    } catch (InterruptedException | ExecutionException e) {
                        throw new IllegalStateException(e);
                    }
                }));
                threads.get(i).start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertEquals(400, right.get());
        });
    }
}

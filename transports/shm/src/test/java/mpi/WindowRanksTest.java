package mpi;

import static mpi.TestWindows.all;
import static mpi.TestWindows.get;
import static mpi.TestWindows.make;
import static mpi.TestWindows.numbers;
import static mpi.TestWindows.set;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import mpi.TestWindows.Flavor;
import mpi.TestWindows.Made;
import mpi.front.job.JobState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every operation and synchronization on windows of every flavour, on one node and between nodes. */
class WindowRanksTest {
    private static final Datatype[] TYPES = {
        MPI.BYTE, MPI.CHAR, MPI.SHORT, MPI.INT, MPI.LONG, MPI.FLOAT, MPI.DOUBLE};

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
    }

    static Stream<Arguments> windows() {
        List<Arguments> all = new ArrayList<>();
        for (String nodes : new String[] {"0", "00", "000", "0000", "01", "0011"}) {
            for (Flavor flavor : Flavor.values()) {
                if (flavor != Flavor.SHARED || !nodes.contains("1")) {
                    all.add(Arguments.of(nodes, flavor));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("windows")
    void everyOperationMovesEveryType(String nodes, Flavor flavor) throws Exception {
        TestWindows.run(nodes, world -> {
            for (Datatype type : TYPES) {
                everyOperation(world, flavor, type);
            }
        });
    }

    private static void everyOperation(Intracomm world, Flavor flavor, Datatype type) {
        int rank = world.getRank();
        int ranks = world.getSize();
        int next = (rank + 1) % ranks;
        int before = (rank + ranks - 1) % ranks;
        Made made = make(flavor, world, 64);
        Win win = made.win();
        int at = 8 / type.items.size; // the items lie from byte 8 on
        win.lockAll(0);
        win.put(numbers(type, rank, 1, 2), 3, type, next, 8, 3, type);
        win.flush(next);
        ByteBuffer got = numbers(type, 0, 0, 0);
        win.get(got, 3, type, next, 8, 3, type);
        win.flushLocal(next);
        assertArrayEquals(new long[] {rank, 1, 2}, all(got, type, 3));
        win.rPut(numbers(type, 7), 1, type, next, 8 + type.items.size, 1, type).waitFor();
        win.flushAll();
        win.rGet(got, 3, type, next, 8, 3, type).waitFor();
        assertArrayEquals(new long[] {rank, 7, 2}, all(got, type, 3));
        world.barrier();
        win.sync();
        assertEquals(before, get(made.memory(), type, at));
        world.barrier();

        // All ranks combine into rank 0.
        win.accumulate(numbers(type, 1, 2), 2, type, 0, 8, 2, type, MPI.SUM);
        win.rAccumulate(numbers(type, 3), 1, type, 0, 8 + 2 * type.items.size, 1, type, MPI.MAX).waitFor();
        win.flushLocalAll();
        win.flush(0);
        world.barrier();
        win.getAccumulate(null, 0, type, got, 3, type, 0, 8, 3, type, MPI.NO_OP);
        win.flush(0);
        assertArrayEquals(new long[] {ranks - 1 + ranks, 7 + 2 * ranks, 3}, all(got, type, 3));
        world.barrier();

        // One after the other.
        ByteBuffer old = numbers(type, -1);
        for (int turn = 0; turn < ranks; turn++) {
            if (turn == rank) {
                win.fetchAndOp(numbers(type, 5), old, type, 0, 8, turn == 0 ? MPI.REPLACE : MPI.SUM);
                win.flush(0);
                assertEquals(rank == 0 ? 2 * ranks - 1 : 5 * rank, get(old, type, 0));
                win.rGetAccumulate(numbers(type, 2), 1, type, old, 1, type, 0, 8 + type.items.size, 1, type, MPI.SUM)
                    .waitFor();
                assertEquals(7 + 2L * ranks + 2 * rank, get(old, type, 0));
                if (type != MPI.FLOAT && type != MPI.DOUBLE) {
                    win.compareAndSwap(numbers(type, 9), numbers(type, 4), old, type, 0, 8 + 2 * type.items.size);
                    win.flush(0);
                    assertEquals(3, get(old, type, 0), "another value is not swapped");
                    win.compareAndSwap(numbers(type, 3), numbers(type, 3), old, type, 0, 8 + 2 * type.items.size);
                    win.flush(0);
                    assertEquals(3, get(old, type, 0));
                }
            }
            world.barrier();
        }
        win.unlockAll();
        world.barrier();
        if (rank == 0) {
            set(made.memory(), type, 0, 0);
            assertArrayEquals(new long[] {5L * ranks, 7 + 4L * ranks, 3},
                new long[] {get(made.memory(), type, at), get(made.memory(), type, at + 1),
                    get(made.memory(), type, at + 2)});
        }
        win.free();
    }

    @ParameterizedTest
    @MethodSource("windows")
    void fencesAndPostsLetAccessesPass(String nodes, Flavor flavor) throws Exception {
        TestWindows.run(nodes, world -> {
            int rank = world.getRank();
            int ranks = world.getSize();
            Made made = make(flavor, world, 8 * ranks);
            Win win = made.win();
            win.fence(MPI.MODE_NOPRECEDE);
            for (int each = 0; each < ranks; each++) {
                win.put(numbers(MPI.LONG, 10 + rank), 1, MPI.LONG, each, 8 * rank, 1, MPI.LONG);
            }
            win.fence(MPI.MODE_NOSUCCEED);
            for (int each = 0; each < ranks; each++) {
                assertEquals(10 + each, get(made.memory(), MPI.LONG, each));
            }
            Group all = win.getGroup();
            Group next = all.incl(new int[] {(rank + 1) % ranks});
            Group before = all.incl(new int[] {(rank + ranks - 1) % ranks});
            for (int round = 0; round < 20; round++) {
                win.post(before, 0);
                win.start(next, 0);
                win.put(numbers(MPI.LONG, round), 1, MPI.LONG, (rank + 1) % ranks, 0, 1, MPI.LONG);
                win.complete();
                if (round % 2 == 0) {
                    win.waitFor();
                } else {
                    while (!win.test()) {
                        Thread.yield();
                    }
                }
                assertEquals(round, get(made.memory(), MPI.LONG, 0));
            }
            win.free();
        });
    }

    @ParameterizedTest
    @MethodSource("windows")
    void countersUnderContentionLoseNothing(String nodes, Flavor flavor) throws Exception {
        int rounds = 300;
        TestWindows.run(nodes, world -> {
            int ranks = world.getSize();
            Made made = make(flavor, world, 32);
            Win win = made.win();
            ByteBuffer one = numbers(MPI.LONG, 1);
            ByteBuffer old = numbers(MPI.LONG, 0);
            int last = ranks - 1;
            long seen = -1;
            win.lockAll(0);
            for (int i = 0; i < rounds; i++) {
                win.fetchAndOp(one, old, MPI.LONG, last, 0, MPI.SUM);
                win.flush(last);
                assertTrue(old.getLong(0) > seen, "the counter only grows");
                seen = old.getLong(0);
            }
            win.unlockAll();
            for (int i = 0; i < rounds; i++) {
                win.lock(MPI.LOCK_EXCLUSIVE, last, 0);
                win.get(old, 1, MPI.LONG, last, 8, 1, MPI.LONG);
                win.flush(last);
                old.putLong(0, old.getLong(0) + 1);
                win.put(old, 1, MPI.LONG, last, 8, 1, MPI.LONG);
                win.unlock(last);
                if (i % 3 == 0) {
                    win.lock(MPI.LOCK_SHARED, last, 0);
                    win.accumulate(one, 1, MPI.LONG, last, 16, 1, MPI.LONG, MPI.SUM);
                    win.unlock(last);
                }
            }
            world.barrier();
            if (world.getRank() == last) {
                assertArrayEquals(new long[] {(long) rounds * ranks, (long) rounds * ranks, (long) rounds / 3 * ranks},
                    all(made.memory(), MPI.LONG, 3));
            }
            win.free();
        });
    }

    @ParameterizedTest
    @MethodSource("windows")
    void aTargetThatMakesNoCallIsServed(String nodes, Flavor flavor) throws Exception {
        CountDownLatch done = new CountDownLatch(nodes.length() - 1);
        TestWindows.run(nodes, world -> {
            Made made = make(flavor, world, 1 << 20);
            if (world.getRank() == 0) {
                assertTrue(done.await(150, TimeUnit.SECONDS), "the others have not been served");
            } else {
                Win win = made.win();
                ByteBuffer data = ByteBuffer.allocateDirect(1 << 20).order(ByteOrder.nativeOrder());
                win.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
                win.put(data.putLong(1000, 42), 1 << 20, MPI.BYTE, 0, 0, 1 << 20, MPI.BYTE);
                win.flush(0);
                win.get(data.putLong(1000, 0), 1 << 20, MPI.BYTE, 0, 0, 1 << 20, MPI.BYTE);
                win.accumulate(numbers(MPI.INT, 1), 1, MPI.INT, 0, 0, 1, MPI.INT, MPI.BOR);
                win.unlock(0);
                assertEquals(42, data.getLong(1000));
                done.countDown();
            }
            world.barrier();
            made.win().free();
        });
    }

    @ParameterizedTest
    @MethodSource("windows")
    void itemsMayHaveGapsOnBothSides(String nodes, Flavor flavor) throws Exception {
        TestWindows.run(nodes, world -> {
            int rank = world.getRank();
            int next = (rank + 1) % world.getSize();
            int blocks = 2000;
            int[] lengths = new int[blocks];
            int[] places = new int[blocks];
            for (int i = 0; i < blocks; i++) {
                lengths[i] = 1 + i % 2;
                places[i] = 3 * i + i % 5 / 4;
            }
            Datatype irregular = Datatype.createIndexed(lengths, places, MPI.INT);
            irregular.commit();
            int ints = 3 * blocks + 8;
            int data = irregular.items.size / 4;
            Datatype column = Datatype.createVector(data, 1, 2, MPI.INT);
            column.commit();
            Made made = make(flavor, world, 4 * ints);
            ByteBuffer origin = ByteBuffer.allocateDirect(8 * data).order(ByteOrder.nativeOrder());
            for (int i = 0; i < data; i++) {
                origin.putInt(8 * i, 1000 * rank + i);
            }
            Win win = made.win();
            win.fence(0);
            win.put(origin, 1, column, next, 4, 1, irregular);
            win.fence(0);
            win.accumulate(origin, 1, column, next, 4, 1, irregular, MPI.SUM);
            win.fence(0);
            ByteBuffer back = ByteBuffer.allocateDirect(4 * data).order(ByteOrder.nativeOrder());
            win.get(back, data, MPI.INT, next, 4, 1, irregular);
            win.fence(0);
            for (int i = 0; i < data; i++) {
                assertEquals(2 * (1000 * rank + i), back.getInt(4 * i), "item " + i);
            }
            int from = (rank + world.getSize() - 1) % world.getSize();
            boolean[] belongs = new boolean[ints];
            for (int i = 0, n = 0; i < blocks; i++) {
                for (int k = 0; k < lengths[i]; k++) {
                    belongs[1 + places[i] + k] = true;
                    assertEquals(2 * (1000 * from + n++), made.memory().getInt(4 * (1 + places[i] + k)));
                }
            }
            for (int i = 0; i < ints; i++) {
                assertTrue(belongs[i] || made.memory().getInt(4 * i) == 0, "gap " + i + " was touched");
            }
            win.free();
        });
    }

    @Test
    void allRanksSeeSharedMemory() throws Exception {
        TestWindows.run("000", world -> {
            Made made = make(Flavor.SHARED, world, 8 * (1 + world.getRank()));
            made.memory().putLong(0, 5 + world.getRank());
            made.win().sync();
            world.barrier();
            made.win().sync();
            for (int each = 0; each < 3; each++) {
                ByteBuffer theirs = made.win().sharedQuery(each);
                assertEquals(5 + each, theirs.getLong(0));
                assertEquals(8 * (1 + each), theirs.capacity());
            }
            world.barrier();
            made.win().free();
        });
    }

    @Test
    void ranksHaveDisplacementUnitsAndSizesOfTheirOwn() throws Exception {
        for (String nodes : new String[] {"000", "011"}) {
            TestWindows.run(nodes, world -> {
                int rank = world.getRank();
                java.nio.IntBuffer memory = MPI.newIntBuffer(4 * (rank + 1));
                Win win = new Win(memory, 4 * (rank + 1), rank + 1, MPI.INFO_NULL, world);
                assertEquals(16 * (rank + 1), win.getAttr(MPI.WIN_SIZE));
                assertEquals(4 * (rank + 1), win.getAttr(MPI.WIN_DISP_UNIT));
                win.fence(0);
                if (rank == 0) {
                    for (int each = 0; each < 3; each++) {
                        win.put(numbers(MPI.INT, 9), 1, MPI.INT, each, 3, 1, MPI.INT);
                    }
                }
                win.fence(0);
                assertEquals(9, memory.get(3 * (rank + 1)));
                win.free();
            });
        }
    }

    @Test
    void buffersOfADynamicWindowComeAndGo() throws Exception {
        for (String nodes : new String[] {"0", "00", "01"}) {
            TestWindows.run(nodes, world -> {
                int other = world.getSize() - 1 - world.getRank();
                Win win = new Win(MPI.INFO_NULL, world);
                ByteBuffer first = numbers(MPI.LONG, 0, 0);
                ByteBuffer second = numbers(MPI.LONG, 0, 0);
                win.attach(first, 16);
                win.attach(second, 16);
                world.barrier();
                win.lockAll(0);
                win.put(numbers(MPI.LONG, 1), 1, MPI.LONG, other, 8, 1, MPI.LONG);
                win.put(numbers(MPI.LONG, 2), 1, MPI.LONG, other, 64, 1, MPI.LONG);
                win.unlockAll();
                world.barrier();
                assertArrayEquals(new long[] {0, 1, 2, 0}, new long[] {first.getLong(0), first.getLong(8),
                    second.getLong(0), second.getLong(8)});
                win.detach(first);
                world.barrier();
                win.lock(MPI.LOCK_SHARED, other, 0);
                MPIException gone = org.junit.jupiter.api.Assertions.assertThrows(MPIException.class, () -> {
                    win.put(numbers(MPI.LONG, 3), 1, MPI.LONG, other, 8, 1, MPI.LONG);
                    win.flush(other);
                });
                assertEquals(68, gone.getErrorClass(), gone.getMessage());
                win.put(numbers(MPI.LONG, 4), 1, MPI.LONG, other, 72, 1, MPI.LONG);
                win.unlock(other);
                world.barrier();
                assertEquals(1, first.getLong(8), "detached memory is not touched");
                assertEquals(4, second.getLong(8));
                win.free();
            });
        }
    }

    /**
     * Ranks 0 and 1 each hold one of two shared locks and want the other's, while ranks 2 and 3 wait for both
     * exclusively.
     */
    @ParameterizedTest
    @ValueSource(strings = {"0000", "0123", "0011", "0101"})
    void sharedLocksInAnyOrderDoNotWaitInCircles(String nodes) throws Exception {
        TestWindows.run(nodes, world -> {
            for (Flavor flavor : new Flavor[] {Flavor.DIRECT, Flavor.ALLOCATED}) {
                Win win = make(flavor, world, 8).win();
                int rank = world.getRank();
                for (int round = 0; round < 20; round++) {
                    if (rank < 2) {
                        win.lock(MPI.LOCK_SHARED, rank, 0);
                    }
                    world.barrier();
                    if (rank < 2) {
                        win.lock(MPI.LOCK_SHARED, 1 - rank, 0);
                        win.unlock(1 - rank);
                        win.unlock(rank);
                    } else {
                        win.lock(MPI.LOCK_EXCLUSIVE, rank - 2, 0);
                        win.unlock(rank - 2);
                    }
                    world.barrier();
                }
                win.free();
            }
        });
    }

    /** The same window from two threads of each rank: a lock-all epoch is for all threads. */
    @ParameterizedTest
    @MethodSource("windows")
    void twoThreadsOfEachRankMixNothingUp(String nodes, Flavor flavor) throws Exception {
        int rounds = 200;
        TestWindows.run(nodes, world -> {
            Made made = make(flavor, world, 64);
            Win win = made.win();
            win.lockAll(0);
            AtomicReference<Throwable> failed = new AtomicReference<>();
            Thread other = new Thread(() -> {
                try {
                    work(win, world.getRank(), world.getSize(), rounds, 1);
                } catch (Throwable e) {
                    failed.set(e);
                }
            });
            other.start();
            work(win, world.getRank(), world.getSize(), rounds, 0);
            other.join();
            assertNull(failed.get());
            win.unlockAll();
            world.barrier();
            assertEquals(2L * rounds * world.getSize(), made.memory().getLong(0));
            world.barrier();
            win.free();
        });
    }

    /** Adds to every rank's counter; writes and reads back a word of this thread's own at the next rank. */
    private static void work(Win win, int rank, int ranks, int rounds, int thread) {
        int next = (rank + 1) % ranks;
        ByteBuffer back = numbers(MPI.LONG, 0);
        for (int i = 0; i < rounds; i++) {
            for (int each = 0; each < ranks; each++) {
                win.accumulate(numbers(MPI.LONG, 1), 1, MPI.LONG, each, 0, 1, MPI.LONG, MPI.SUM);
            }
            win.put(numbers(MPI.LONG, i), 1, MPI.LONG, next, 8 + 8 * thread, 1, MPI.LONG);
            win.flush(next);
            win.get(back, 1, MPI.LONG, next, 8 + 8 * thread, 1, MPI.LONG);
            win.flush(next);
            assertEquals(i, back.getLong(0));
        }
        win.flushAll();
    }

    @Test
    void aWindowThatIsNotFreedStopsNobody() throws Exception {
        for (String nodes : new String[] {"00", "01"}) {
            TestWindows.run(nodes, world -> {
                Made made = make(Flavor.DIRECT, world, 8);
                made.win().lock(MPI.LOCK_SHARED, 0, 0);
                world.barrier();
            });
        }
    }

    @Test
    void theServingThreadEndsWithTheLastWindow() throws Exception {
        Set<Thread> before = servers();
        TestWindows.run("01", world -> {
            Made one = make(Flavor.DIRECT, world, 8);
            Made two = make(Flavor.ALLOCATED, world, 8);
            one.win().free();
            two.win().free();
        });
        for (Thread each : servers()) {
            if (!before.contains(each)) {
                each.join(20_000);
                assertFalse(each.isAlive());
            }
        }
    }

    private static Set<Thread> servers() {
        return Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().equals("brigade-windows"))
            .collect(Collectors.toSet());
    }
}

package mpi;

import static mpi.TestWindows.make;
import static mpi.TestWindows.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import mpi.TestWindows.Flavor;
import mpi.TestWindows.Made;
import mpi.front.job.Handle;
import mpi.front.job.JobState;
import org.brigade.communicator.FakeMemory;
import org.brigade.communicator.ThreadJob;
import org.brigade.transport.Endpoint;
import org.brigade.transport.NodeMemory;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What windows refuse: with which class, saying what, and without touching memory. */
class WindowErrorsTest {
    private static final int RMA_RANGE = 68, RMA_ATTACH = 69, RMA_FLAVOR = 70, RMA_SHARED = 71;

    @BeforeAll
    static void begin() {
        JobState.pretend(JobState.RUNNING);
    }

    @AfterAll
    static void end() {
        JobState.pretend(JobState.NEW);
    }

    private static void refuses(int errorClass, String says, Executable call) {
        MPIException error = assertThrows(MPIException.class, call);
        assertEquals(errorClass, error.getErrorClass(), error.getMessage());
        assertTrue(error.getMessage().contains(says), error.getMessage());
        assertTrue(error.getMessage().contains("; "), "has no cure: " + error.getMessage());
    }

    @ParameterizedTest
    @EnumSource(Flavor.class)
    void accessesOutsideTouchNothing(Flavor flavor) throws Exception {
        for (String nodes : new String[] {"00", "01"}) {
            if (flavor == Flavor.SHARED && nodes.equals("01")) {
                continue;
            }
            TestWindows.run(nodes, world -> {
                Made made = make(flavor, world, 16);
                Win win = made.win();
                ByteBuffer data = numbers(MPI.LONG, -1, -1, -1);
                ByteBuffer guard = numbers(MPI.LONG, 5, 5, 5);
                win.lockAll(0);
                for (int to = 0; to < 2; to++) {
                    int target = to;
                    refuses(RMA_RANGE, "outside the window of rank " + target, () -> {
                        win.put(data, 3, MPI.LONG, target, 0, 3, MPI.LONG);
                        win.flush(target);
                    });
                    refuses(RMA_RANGE, "outside the window of rank " + target, () -> {
                        win.put(data, 1, MPI.LONG, target, 9, 1, MPI.LONG);
                        win.flush(target);
                    });
                    refuses(RMA_RANGE, "outside the window of rank " + target, () -> {
                        win.accumulate(data, 1, MPI.LONG, target, Integer.MAX_VALUE, 1, MPI.LONG, MPI.SUM);
                        win.flush(target);
                    });
                    refuses(RMA_RANGE, "outside the window of rank " + target,
                        () -> win.rGet(guard, 3, MPI.LONG, target, 0, 3, MPI.LONG).waitFor());
                    Datatype back = Datatype.createHIndexed(new int[] {1}, new int[] {-8}, MPI.LONG);
                    back.commit();
                    refuses(RMA_RANGE, "outside the window of rank " + target, () -> {
                        win.put(data, 1, MPI.LONG, target, 0, 1, back);
                        win.flush(target);
                    });
                    win.put(numbers(MPI.LONG, 3), 1, MPI.LONG, target, 8, 1, MPI.LONG); // the epoch goes on
                }
                win.unlockAll();
                world.barrier();
                assertEquals(0, made.memory().getLong(0));
                assertEquals(3, made.memory().getLong(8));
                assertEquals(5, guard.getLong(0));
                win.free();
            });
        }
    }

    @Test
    void callsOutOfOrderAreRefused() throws Exception {
        for (String nodes : new String[] {"00", "01"}) {
            TestWindows.run(nodes, world -> {
                int other = 1 - world.getRank();
                Win win = make(Flavor.DIRECT, world, 16).win();
                ByteBuffer data = numbers(MPI.LONG, 1);
                Executable put = () -> win.put(data, 1, MPI.LONG, other, 0, 1, MPI.LONG);
                refuses(MPI.ERR_RMA_SYNC, "call fence on all ranks", put);
                refuses(MPI.ERR_RMA_SYNC, "lock", () -> win.flush(other));
                refuses(MPI.ERR_RMA_SYNC, "lock", win::flushAll);
                refuses(MPI.ERR_RMA_SYNC, "call lock first", () -> win.unlock(other));
                refuses(MPI.ERR_RMA_SYNC, "lockAll", win::unlockAll);
                refuses(MPI.ERR_RMA_SYNC, "call it first", win::complete);
                refuses(MPI.ERR_RMA_SYNC, "call post first", win::waitFor);
                refuses(MPI.ERR_RMA_SYNC, "call post first", win::test);
                win.lock(MPI.LOCK_SHARED, other, 0);
                refuses(MPI.ERR_RMA_SYNC, "unlock it first", () -> win.lock(MPI.LOCK_SHARED, other, 0));
                refuses(MPI.ERR_RMA_SYNC, "unlock", () -> win.lockAll(0));
                refuses(MPI.ERR_RMA_SYNC, "unlock", () -> win.fence(0));
                refuses(MPI.ERR_RMA_SYNC, "unlock", win::free);
                refuses(MPI.ERR_RMA_SYNC, "may not be accessed now",
                    () -> win.put(data, 1, MPI.LONG, 1 - other, 0, 1, MPI.LONG));
                win.unlock(other);
                win.lockAll(0);
                refuses(MPI.ERR_RMA_SYNC, "unlockAll", () -> win.unlock(other));
                win.unlockAll();
                win.fence(0);
                run(put);
                refuses(MPI.ERR_RMA_SYNC, "since the last fence", () -> win.lock(MPI.LOCK_SHARED, other, 0));
                win.fence(MPI.MODE_NOSUCCEED);
                refuses(MPI.ERR_RMA_SYNC, "call fence on all ranks", put);
                win.free();
                refuses(MPI.ERR_WIN, "freed", put);
                refuses(MPI.ERR_WIN, "freed", win::free);
                refuses(MPI.ERR_WIN, "freed", win::getGroup);
            });
        }
    }

    private static void run(Executable put) throws Exception {
        try {
            put.execute();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void wrongArgumentsAreRefused() throws Exception {
        TestWindows.run("0", world -> {
            Win win = make(Flavor.DIRECT, world, 16).win();
            ByteBuffer data = numbers(MPI.LONG, 1);
            win.fence(0);
            refuses(MPI.ERR_RANK, "target 1 is not a rank", () -> win.put(data, 1, MPI.LONG, 1, 0, 1, MPI.LONG));
            refuses(MPI.ERR_RANK, "target -5", () -> win.lock(MPI.LOCK_SHARED, -5, 0));
            refuses(MPI.ERR_LOCKTYPE, "lock type 0", () -> win.lock(0, 0, 0));
            refuses(MPI.ERR_ASSERT, "assertion 16", () -> win.lock(MPI.LOCK_SHARED, 0, MPI.MODE_NOSUCCEED));
            refuses(MPI.ERR_ASSERT, "assertion 1", () -> win.fence(MPI.MODE_NOCHECK));
            refuses(MPI.ERR_DISP, "displacement -1", () -> win.put(data, 1, MPI.LONG, 0, -1, 1, MPI.LONG));
            refuses(MPI.ERR_COUNT, "target count -1", () -> win.put(data, 1, MPI.LONG, 0, 0, -1, MPI.LONG));
            refuses(MPI.ERR_COUNT, "same data on both sides", () -> win.put(data, 1, MPI.LONG, 0, 0, 1, MPI.INT));
            refuses(MPI.ERR_TYPE, "null", () -> win.put(data, 1, MPI.LONG, 0, 0, 1, null));
            refuses(MPI.ERR_BUFFER, "origin", () -> win.get(data.asReadOnlyBuffer(), 1, MPI.LONG, 0, 0, 1, MPI.LONG));
            refuses(MPI.ERR_BUFFER, "origin", () -> win.put(null, 1, MPI.LONG, 0, 0, 1, MPI.LONG));
            refuses(MPI.ERR_COUNT, "origin", () -> win.put(data, 2, MPI.LONG, 0, 0, 2, MPI.LONG));
            refuses(MPI.ERR_OP, "null", () -> win.accumulate(data, 1, MPI.LONG, 0, 0, 1, MPI.LONG, null));
            Op users = new Op(new UserFunction() {
                @Override
                public void call(Object in, Object inout, int count, Datatype type) {
                    throw new AssertionError("it was called");
                }
            }, true);
            refuses(MPI.ERR_OP, "predefined",
                () -> win.accumulate(data, 1, MPI.LONG, 0, 0, 1, MPI.LONG, users));
            refuses(MPI.ERR_OP, "not defined", () -> win.accumulate(data, 1, MPI.DOUBLE, 0, 0, 1, MPI.DOUBLE,
                MPI.BAND));
            refuses(MPI.ERR_TYPE, "same elements", () -> win.accumulate(data, 1, MPI.LONG, 0, 0, 1, MPI.DOUBLE,
                MPI.SUM));
            refuses(MPI.ERR_TYPE, "compared", () -> win.compareAndSwap(data, data, data, MPI.DOUBLE, 0, 0));
            refuses(MPI.ERR_TYPE, "objects", () -> win.put(data, 1, MPI.BYTE, 0, 0, 1, MPI.OBJECT));
            refuses(MPI.ERR_OP, "not defined", () -> world.allReduce(new int[1], 1, MPI.INT, MPI.REPLACE));
            refuses(MPI.ERR_ARG, "null", () -> win.setErrhandler(null));
            refuses(MPI.ERR_ARG, "null", () -> win.setName(null));
            refuses(MPI.ERR_KEYVAL, "key 99", () -> win.getAttr(99));
            refuses(MPI.ERR_GROUP, "null", () -> win.post(null, 0));
            refuses(RMA_FLAVOR, "dynamic", () -> win.attach(data, 8));
            refuses(RMA_FLAVOR, "buffers of the ranks", () -> win.sharedQuery(0));
            win.put(data, 1, MPI.LONG, MPI.PROC_NULL, 0, 1, MPI.LONG);
            win.rGet(data, 1, MPI.LONG, MPI.PROC_NULL, 0, 1, MPI.LONG).waitFor();
            win.fence(0);
            win.free();
            Win dynamic = new Win(null, world);
            dynamic.attach(data, 8);
            refuses(RMA_ATTACH, "already", () -> dynamic.attach(data, 8));
            dynamic.detach(data);
            refuses(RMA_ATTACH, "not attached", () -> dynamic.detach(data));
            dynamic.free();
        });
    }

    @Test
    void aWindowThatOneRankCannotMakeFailsOnAll() throws Exception {
        for (String nodes : new String[] {"00", "01"}) {
            TestWindows.run(nodes, world -> {
                boolean wrong = world.getRank() == 1;
                ByteBuffer memory = numbers(MPI.LONG, 1);
                int other = MPI.ERR_OTHER;
                String says = wrong ? "" : "rank 1 has refused";
                refuses(wrong ? MPI.ERR_BUFFER : other, says,
                    () -> new Win(wrong ? null : memory, 8, 1, MPI.INFO_NULL, world));
                refuses(wrong ? MPI.ERR_BUFFER : other, says,
                    () -> new Win(wrong ? memory.asReadOnlyBuffer() : memory, 8, 1, MPI.INFO_NULL, world));
                refuses(wrong ? MPI.ERR_BUFFER : other, says, () -> new Win(wrong
                    ? memory.duplicate().order(ByteOrder.BIG_ENDIAN).asIntBuffer() : memory, 1, 1, null, world));
                refuses(wrong ? MPI.ERR_SIZE : other, says,
                    () -> new Win(memory, wrong ? -1 : 8, 1, MPI.INFO_NULL, world));
                refuses(wrong ? MPI.ERR_DISP : other, says,
                    () -> new Win(memory, 8, wrong ? 0 : 1, MPI.INFO_NULL, world));
                refuses(wrong ? MPI.ERR_SIZE : other, says,
                    () -> new Win(wrong ? 1 << 30 : 1, 1, MPI.INFO_NULL, world, MPI.newLongBuffer(0), 0));
                refuses(wrong ? MPI.ERR_ARG : other, says,
                    () -> new Win(8, 1, MPI.INFO_NULL, world, memory, wrong ? 7 : 0));
                refuses(MPI.ERR_NOT_SAME, "another kind", () -> {
                    if (wrong) {
                        new Win(8, 1, MPI.INFO_NULL, world, memory, Win.FLAVOR_PRIVATE);
                    } else {
                        new Win(MPI.INFO_NULL, world);
                    }
                });
                refuses(MPI.ERR_COMM, "null", () -> new Win(MPI.INFO_NULL, null));
                world.barrier();
            });
        }
    }

    @Test
    void memoryThatWasFreedUnderTheWindowIsAnErrorAndIsNotTouched() throws Exception {
        for (String nodes : new String[] {"00", "01"}) {
            TestWindows.run(nodes, world -> {
                TestWindows.devices().unreachable = true; // a mapping would outlive the memory
                int rank = world.getRank();
                FakeMemory memory = TestWindows.devices().allocate(0, 16);
                Win win = new Win(memory, 16, 1, MPI.INFO_NULL, world);
                ByteBuffer data = numbers(MPI.LONG, 7);
                memory.freed = rank == 1;
                world.barrier();
                win.lockAll(0);
                refuses(MPI.ERR_OTHER, "the window of rank 1 cannot be accessed any more (device memory", () -> {
                    win.put(data, 1, MPI.LONG, 1, 0, 1, MPI.LONG);
                    win.flush(1);
                });
                refuses(MPI.ERR_OTHER, "was freed", () -> {
                    win.rGetAccumulate(data, 1, MPI.LONG, data, 1, MPI.LONG, 1, 0, 1, MPI.LONG, MPI.SUM).waitFor();
                });
                win.put(data, 1, MPI.LONG, 0, 8 * rank, 1, MPI.LONG); // the epoch goes on
                win.unlockAll();
                world.barrier();
                assertEquals(rank == 0 ? 7 : 0, memory.memory().getLong(0));
                assertEquals(rank == 0 ? 7 : 0, memory.memory().getLong(8));
                world.barrier();
                if (rank == 1) {
                    refuses(MPI.ERR_OTHER, "fence on rank 1 of 2", () -> win.fence(0));
                    refuses(MPI.ERR_BUFFER, "before it is freed",
                        () -> new Win(memory, 16, 1, MPI.INFO_NULL, world));
                } else {
                    win.fence(0);
                    refuses(MPI.ERR_OTHER, "rank 1 has refused",
                        () -> new Win(memory, 16, 1, MPI.INFO_NULL, world));
                }
                win.free();
            });
        }
    }

    @Test
    void aDeviceThatFailsAtTheTargetIsAnErrorAtTheOrigin() throws Exception {
        TestWindows.run("01", world -> {
            int other = 1 - world.getRank();
            FakeMemory memory = TestWindows.devices().allocate(0, 64 << 10);
            Win win = new Win(memory, 64 << 10, 1, MPI.INFO_NULL, world);
            memory.goodReads = 1;
            world.barrier();
            byte[] got = new byte[64 << 10];
            win.lock(MPI.LOCK_SHARED, other, 0);
            win.get(got, 64 << 10, MPI.BYTE, other, 0, 64 << 10, MPI.BYTE);
            refuses(MPI.ERR_OTHER, "fell off the bus", () -> win.unlock(other));
            world.barrier();
            win.lock(MPI.LOCK_SHARED, other, 0);
            refuses(MPI.ERR_OTHER, "the copy between this rank's buffer and the window of rank " + other, () -> {
                win.put(memory, 8, MPI.BYTE, other, 0, 8, MPI.BYTE);
            });
            win.unlock(other);
            world.barrier();
            memory.goodReads = Integer.MAX_VALUE;
            memory.memory().put(9, (byte) 3);
            world.barrier();
            win.lock(MPI.LOCK_SHARED, other, 0);
            win.get(got, 64 << 10, MPI.BYTE, other, 0, 64 << 10, MPI.BYTE);
            win.unlock(other);
            assertEquals(3, got[9]);
            win.free();
        });
    }

    /** Rank 0 reserves the memory, and fills all of it if it is small; of much memory each rank fills its own. */
    @ParameterizedTest
    @CsvSource({"0,64", "1,64", "0,3000000", "1,3000000"})
    void tooLittleSharedMemoryIsAnErrorOnAllRanks(int poor, int bytes) throws Exception {
        Endpoint[] ends = LoopbackJob.endpoints(3);
        for (int rank = 0; rank < 3; rank++) {
            ends[rank] = full(ends[rank], rank == poor);
        }
        ThreadJob.run(ends, (provider, lower) -> {
            Intracomm world = new Intracomm(Handle.of(lower));
            boolean own = world.getRank() == poor;
            refuses(MPI.ERR_NO_MEM, own ? "(no space)" : "rank " + poor + " could not make its " + bytes + " bytes",
                () -> new Win(bytes, 1, MPI.INFO_NULL, world, MPI.newByteBuffer(0), Win.FLAVOR_PRIVATE));
            make(Flavor.DIRECT, world, 8).win().free();
        });
    }

    /** An endpoint whose shared memory is full, if it is the poor one's. */
    private static Endpoint full(Endpoint end, boolean poor) {
        NodeMemory memory = end.nodeMemory();
        Object failing = Proxy.newProxyInstance(Endpoint.class.getClassLoader(), new Class<?>[] {NodeMemory.class},
            (self, method, arguments) -> {
                if (poor && List.of("reserve", "fill", "map").contains(method.getName())) {
                    throw new IOException("no space");
                }
                return method.invoke(memory, arguments);
            });
        return (Endpoint) Proxy.newProxyInstance(Endpoint.class.getClassLoader(), new Class<?>[] {Endpoint.class},
            (self, method, arguments) -> switch (method.getName()) {
                case "nodeMemory" -> failing;
                case "withinNode" -> self;
                default -> method.invoke(end, arguments);
            });
    }

    @Test
    void ranksOfSeveralNodesShareNoMemory() throws Exception {
        TestWindows.run("01", world -> {
            refuses(RMA_SHARED, "several nodes",
                () -> new Win(8, 1, MPI.INFO_NULL, world, MPI.newByteBuffer(0), Win.FLAVOR_SHARED));
            Win made = new Win(8, 1, MPI.INFO_NULL, world, MPI.newByteBuffer(0), Win.FLAVOR_PRIVATE);
            refuses(RMA_SHARED, "another node", () -> made.sharedQuery(1 - world.getRank()));
            made.free();
        });
    }

    @Test
    void aHintForbidsLocks() throws Exception {
        TestWindows.run("00", world -> {
            Info info = new Info();
            info.set("no_locks", "true");
            Win win = new Win(numbers(MPI.LONG, 1), 8, 1, info, world);
            refuses(MPI.ERR_RMA_SYNC, "no_locks", () -> win.lock(MPI.LOCK_SHARED, 0, 0));
            refuses(MPI.ERR_RMA_SYNC, "no_locks", () -> win.lockAll(0));
            assertEquals("true", win.getInfo().get("no_locks"));
            win.setName("ghosts");
            assertEquals("ghosts", win.getName());
            refuses(MPI.ERR_RMA_SYNC, "in window ghosts", () -> win.unlock(0));
            win.setErrhandler(MPI.ERRORS_RETURN);
            assertEquals(MPI.ERRORS_RETURN, win.getErrhandler());
            win.free();
        });
    }
}

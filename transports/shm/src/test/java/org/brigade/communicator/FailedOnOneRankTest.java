package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.CollectiveTrial.SUM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import mpi.spi.Reduction;
import mpi.spi.SendMode;
import mpi.spi.TypeLayout;
import org.brigade.communicator.job.JoinedRecorder;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.LastCalls;
import org.brigade.waiting.RankState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong on one rank alone is an error on all, and the communicator goes on. */
class FailedOnOneRankTest {
    private static final int[] COUNTS = {1, 12, 900, 20_000};

    private static void end(Operation operation) {
        if (operation != null) {
            operation.await();
        }
    }

    /** Throws on the rank that calls it first, and on that alone. */
    private static Reduction throwingOnce(AtomicInteger thrower, int rank, IllegalStateException what) {
        return Reduction.user((in, inAt, inout, inoutAt, count) -> {
            if (thrower.compareAndSet(-1, rank)) {
                throw what;
            }
        }, true);
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aUsersOperationThatThrowsOnOneRankFailsTheCallOnAll(Jobs kind) throws Exception {
        for (int ranks = 2; ranks <= 4; ranks++) {
            AtomicInteger[] throwers = new AtomicInteger[COUNTS.length * 6];
            Arrays.setAll(throwers, i -> new AtomicInteger(-1));
            ThreadJob.run(kind.endpoints(ranks, ranks), (provider, world) -> {
                IllegalStateException own = new IllegalStateException("no such number");
                int calls = 0;
                for (int count : COUNTS) {
                    for (int form = 0; form < 6; form++) {
                        boolean blocking = form % 2 == 0;
                        int which = form / 2;
                        AtomicInteger first = throwers[calls++];
                        Reduction op = throwingOnce(first, world.rank(), own);
                        MPIException thrown =
                            assertThrows(MPIException.class, () -> call(world, which, count, op, blocking),
                                "rank " + world.rank() + ", call " + which + " of " + count);
                        int thrower = first.get();
                        assertTrue(thrown.getMessage().contains("rank " + thrower)
                            && thrown.getMessage().contains("no such number"), thrown.getMessage());
                        assertEquals(ErrorClass.OTHER.code, thrown.getErrorClass());
                        if (world.rank() == thrower) {
                            assertSame(own, thrown.getCause());
                        }
                        new CollectiveTrial(world, 0, 300, false, false, blocking, true).run(Collective.ALLREDUCE);
                    }
                }
            });
        }
    }

    private static void call(Communicator world, int which, int count, Reduction op, boolean blocking) {
        int[] in = new int[count];
        int[] out = new int[count];
        switch (which) {
            case 0 -> end(calls(world).allreduce(in, 0, out, 0, count, INT, op, blocking));
            case 1 -> end(calls(world).reduce(in, 0, out, 0, count, INT, op, 0, blocking));
            default -> end(calls(world).scan(in, 0, out, 0, count, INT, op, blocking));
        }
    }

    /** A user's operation runs on the host: device memory is staged, blocking, nonblocking and persistent. */
    @Test
    void aUsersOperationThatThrowsOverDeviceMemoryFailsTheCallOnAll() throws Exception {
        AtomicInteger[] throwers = new AtomicInteger[COUNTS.length * 4];
        Arrays.setAll(throwers, i -> new AtomicInteger(-1));
        FakeDevices[] devices = FakeDevices.ofJob(3);
        ThreadJob.run(Jobs.WIDE.endpoints(3, 0), false, devices, (provider, world) -> {
            FakeDevices mine = devices[world.rank()];
            int calls = 0;
            for (int count : COUNTS) {
                for (int form = 0; form < 4; form++) {
                    FakeMemory in = mine.allocate(4 * count);
                    FakeMemory out = mine.allocate(4 * count);
                    Reduction op = throwingOnce(throwers[calls++], world.rank(), new IllegalStateException("no sum"));
                    Call call = new Call(world.rank(), world.size()).begin(Collective.ALLREDUCE, form == 0)
                        .reduction(INT, op);
                    call.recv.vector(form == 1 ? new int[count] : out, 0, count, INT.extent);
                    call.send.vector(in, 0, count, INT.extent);
                    PersistentOperation prepared = form == 3 ? world.prepare(call) : null;
                    MPIException thrown = assertThrows(MPIException.class, () -> {
                        if (prepared != null) {
                            prepared.start();
                            prepared.await();
                        } else {
                            end(world.start(call));
                        }
                    }, "rank " + world.rank() + ", form " + form + " of " + count);
                    assertTrue(thrown.getMessage().contains("no sum"), thrown.getMessage());
                    new CollectiveTrial(world, 0, 300, false, false, true, false, mine).run(Collective.ALLREDUCE);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void whoeverWaitsForARankThatFailedHearsOfIt(Jobs kind) throws Exception {
        ThreadJob.run(kind.endpoints(4, 3), (provider, world) -> {
            for (boolean blocking : new boolean[] {true, false}) {
                int count = world.rank() == 1 ? 19_999 : 20_000;
                int[] data = new int[count];
                MPIException thrown = assertThrows(MPIException.class,
                    () -> end(calls(world).allreduce(data, 0, new int[count], 0, count, INT, SUM, blocking)),
                    "rank " + world.rank());
                assertEquals(ErrorClass.TRUNCATE.code, thrown.getErrorClass(), thrown.getMessage());
                for (int i = 0; i < 3; i++) {
                    new CollectiveTrial(world, 0, 300, false, false, blocking, false).run(Collective.ALLTOALL);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aCallThatOneRankRefusesIsAnErrorOnAllWhereCallsAreCompared(Jobs kind) throws Exception {
        ThreadJob.run(kind.endpoints(3, 3), true, (provider, world) -> {
            for (int round = 0; round < 3; round++) {
                if (world.rank() == 1) {
                    world.refused("bcast",
                        ErrorClass.COUNT.in("bcast", 1, 3, "MPI_COMM_WORLD", "count -1 is negative"));
                } else {
                    MPIException thrown =
                        assertThrows(MPIException.class, () -> end(calls(world).bcast(new int[5], 0, 5, INT, 0, true)));
                    assertEquals(ErrorClass.COUNT.code, thrown.getErrorClass(), thrown.getMessage());
                    assertTrue(thrown.getMessage().contains("failed on rank 1")
                        && thrown.getMessage().contains("count -1 is negative"), thrown.getMessage());
                }
                int[] sum = new int[1];
                calls(world).allreduce(new int[] {1}, 0, sum, 0, 1, INT, SUM, true);
                assertArrayEquals(new int[] {3}, sum);
            }
        });
    }

    @Test
    void whatOneSendsAndAnotherDoesNotExpectIsAnErrorOnAllWhereCallsAreCompared() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(3, 3), true, (provider, world) -> {
            int rank = world.rank();
            String[] said =
                {"rank 0 sends 4 bytes to rank 0, which expects 16", "rank 0 sends 8 bytes to rank 2, which expects 4"};
            for (int wrong = 0; wrong < 2; wrong++) {
                int[] counts = {1, 1, wrong == 0 ? 1 : 2};
                int room = wrong == 0 && rank == 0 ? 4 : 1;
                MPIException thrown = assertThrows(MPIException.class,
                    () -> calls(world).scatterv(new int[4], 0, counts, new int[] {0, 1, 2}, INT, new int[4], 0, room,
                        INT, 0, true),
                    "rank " + rank);
                assertEquals(ErrorClass.NOT_SAME.code, thrown.getErrorClass(), thrown.getMessage());
                assertTrue(thrown.getMessage().contains(said[wrong]), thrown.getMessage());
                calls(world).barrier(true);
            }
        });
    }

    // ---- what is listed of such calls ----

    private static final TypeLayout INT = TypeLayout.of("MPI.INT", ElementKind.INT, 1);

    private static String newest(FlightRecorder recorder) {
        return LastCalls.lines(List.of(
            new LastCalls.Of(new RankState(0, 0, true, null), recorder.read(FlightRecorder.CALLS))), 1,
            System.nanoTime()).get(0);
    }

    private static void assertBegins(String expected, String line) {
        assertEquals(expected, line.substring(0, Math.min(line.length(), expected.length())), line);
    }

    @Test
    void aCallThatThrewAtItsArgumentsIsListed() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(1), (provider, world) -> {
            world.threw("send");
            assertBegins("rank 0: after a call on MPI_COMM_WORLD that threw, as its arguments were wrong, ",
                newest(provider.job().progress().recorder));
        });
    }

    /** Contexts of a union are numbered as those of the job. */
    @Test
    void callsOfAUnionAreListedWithThoseOfTheJobUnderTheirOwnNames() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(1), (provider, world) -> {
            FlightRecorder recorder = provider.job().progress().recorder;
            FlightRecorder union = new JoinedRecorder(recorder, 0);
            long context = 1;
            union.names((int) context, "children");
            union.ended(union.begins(FlightRecorder.SEND, context << Integer.SIZE | 5, 2, 4));
            assertBegins("rank 0: after send of children, to rank 2, tag 5, 4 bytes", newest(recorder));
            world.send(new int[1], 0, 1, INT, 0, 7, SendMode.STANDARD);
            assertBegins("rank 0: after send of MPI_COMM_WORLD, to rank 0, tag 7, 4 bytes", newest(recorder));
            union.made(FlightRecorder.IRECV, context << Integer.SIZE | 6, 1, 8);
            assertBegins("rank 0: after irecv of children, from rank 1, tag 6, 8 bytes", newest(recorder));
        });
    }
}

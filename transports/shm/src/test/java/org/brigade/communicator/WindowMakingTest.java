package org.brigade.communicator;

import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import mpi.spi.TypeMap;
import mpi.spi.window.Access;
import mpi.spi.window.WindowEnd;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;
import org.brigade.transport.Endpoint;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.nodes.NodesJob;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.RecordedCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What it takes to make windows, and what is left of them. */
class WindowMakingTest {
    private static final int BYTES = 64;
    private static final int ANY = -1;

    private static WindowEnd window(Communicator comm, WindowKind kind, long bytes) {
        Object buffer = kind == WindowKind.CREATED ? ByteBuffer.allocateDirect((int) bytes) : null;
        return ((WindowMaker) comm).window(kind, buffer, bytes, 1, true, "a window", null);
    }

    /** The collectives that a rank has made, the oldest first: {@code barrier on a window}. */
    private static List<String> calls(BrigadeProvider provider) {
        List<String> calls = new ArrayList<>();
        for (RecordedCall each : provider.job().progress().recorder.read(FlightRecorder.CALLS)) {
            calls.add(0, each.call() + " on " + each.name());
        }
        return calls;
    }

    @ParameterizedTest
    @CsvSource({"CREATED, 2", "ALLOCATED, 2", "SHARED, 3"})
    void aWindowOnOneNodeTakesTwoExchangesAndNoCommunicator(WindowKind kind, int ranks) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, world) -> {
            WindowEnd window = window(world, kind, BYTES);
            assertEquals(List.of("allgather on MPI_COMM_WORLD", "allgather on MPI_COMM_WORLD"), calls(provider));
            window.fence(false, false);
            assertEquals("barrier on a window", calls(provider).get(2));
            window.rename("grid");
            window.fence(false, false);
            assertEquals("barrier on grid", calls(provider).get(3));
            window.free();
            assertEquals(5, calls(provider).size(), calls(provider).toString());
        });
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    void aWindowOutlivesItsCommunicator(WindowKind kind) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(3), (provider, world) -> {
            Communicator original = world.duplicate();
            WindowEnd window = window(original, kind, kind == WindowKind.DYNAMIC ? 0 : BYTES);
            original.free();
            Communicator next = world.duplicate(); // may have the same context
            for (int i = 0; i < 3; i++) {
                window.fence(false, false);
                assertEquals(next.size(), next.split(0, 0).size());
            }
            window.free();
        });
    }

    /** Whichever rank is the last. */
    @ParameterizedTest
    @EnumSource(WindowKind.class)
    void fencesAndFreeWaitForAllRanks(WindowKind kind) throws Exception {
        int ranks = 3;
        AtomicInteger come = new AtomicInteger();
        ThreadJob.run(LoopbackJob.endpoints(ranks), (provider, world) -> {
            for (int round = 0; round < 2 * ranks; round++) {
                WindowEnd window = window(world, kind, kind == WindowKind.DYNAMIC ? 0 : BYTES);
                int before = 2 * ranks * round;
                comesLate(world, round, come);
                window.fence(false, false);
                assertTrue(come.get() >= before + ranks, "a fence has let " + come + " ranks go, in round " + round);
                comesLate(world, round + 1, come);
                window.free();
                assertTrue(come.get() >= before + 2 * ranks, "a free has let " + come + " go, in round " + round);
            }
        });
    }

    private static void comesLate(Communicator world, int who, AtomicInteger come) throws InterruptedException {
        if (who % world.size() == world.rank()) {
            Thread.sleep(30);
        }
        come.incrementAndGet();
    }

    /** So no receive of the program gets a window's messages, and the communicator outlives the window. */
    @ParameterizedTest
    @ValueSource(strings = {"one node", "nodes"})
    void aWindowByMessagesHasACommunicatorOfItsOwn(String where) throws Exception {
        Endpoint[] endpoints = where.equals("nodes") ? NodesJob.narrowEndpoints(new int[] {0, 0, 1})
            : LoopbackJob.endpoints(3);
        ThreadJob.run(endpoints, (provider, world) -> {
            int rank = world.rank();
            int next = (rank + 1) % world.size();
            byte[] received = new byte[BYTES];
            Operation receive = world.irecv(received, 0, BYTES, BYTE, ANY, ANY);
            byte[] memory = new byte[BYTES];
            WindowEnd window = ((WindowMaker) world).window(WindowKind.CREATED, ByteBuffer.wrap(memory), BYTES, 1, true,
                "a window", null);
            window.fence(true, false);
            assertEquals("barrier on a window", calls(provider).get(calls(provider).size() - 1));
            byte[] put = new byte[BYTES];
            Arrays.fill(put, (byte) (rank + 1));
            access(window, Access.Kind.PUT, next, put);
            window.fence(false, true);
            for (byte each : memory) {
                assertEquals((rank + 2) % 3 + 1, each);
            }
            assertFalse(receive.test(), "a receive of the program has taken a message of the window");
            assertFalse(world.iprobe(ANY, ANY, new Envelope()));
            window.free();
            byte[] sent = {(byte) (rank + 70)};
            world.send(sent, 0, 1, BYTE, next, 5, SendMode.STANDARD);
            receive.await();
            assertEquals((rank + 2) % 3 + 70, received[0]);
        });
    }

    /** Otherwise a program that makes windows again and again runs out of contexts. */
    @ParameterizedTest
    @EnumSource(value = WindowKind.class, names = {"CREATED", "ALLOCATED", "SHARED"})
    void theContextOfAWindowIsFreeAgain(WindowKind kind) throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(2), (provider, world) -> {
            if (world.rank() == 0) {
                long first = provider.job().newContext();
                provider.job().contexts().giveBack(first);
                for (int i = 0; i < 3; i++) {
                    window(world, kind, BYTES).free();
                }
                assertEquals(first, provider.job().newContext());
            } else {
                for (int i = 0; i < 3; i++) {
                    window(world, kind, BYTES).free();
                }
            }
        });
    }

    /** On two nodes no room can be reserved before all have told; with checks, the window has a communicator. */
    @ParameterizedTest
    @ValueSource(strings = {"one node", "checked", "nodes"})
    void memoryIsZeroHoweverMuchEachRankHas(String where) throws Exception {
        long[][] sizes = {{100, 100, 100}, {5000, 8, 0}, {8, 5000, 0}, {0, 0, 9000}, {4096, 4096, 4097},
            {100, 100, 100}, {900_000, 1, 900_000}, {100, 50, 7}};
        Endpoint[] endpoints = where.equals("nodes") ? NodesJob.narrowEndpoints(new int[] {0, 0, 1})
            : LoopbackJob.endpoints(3);
        ThreadJob.run(endpoints, where.equals("checked"), (provider, world) -> {
            for (int round = 0; round < 3; round++) {
                for (long[] each : sizes) {
                    everyByte(world, each);
                }
            }
        });
    }

    /** Each rank fills the memory of the next; what was there before must be zeros. */
    private static void everyByte(Communicator world, long[] sizes) {
        int rank = world.rank();
        int next = (rank + 1) % world.size();
        WindowEnd window = window(world, WindowKind.ALLOCATED, sizes[rank]);
        byte[] zeros = new byte[(int) sizes[next]];
        byte[] found = new byte[zeros.length];
        window.fence(true, false);
        access(window, Access.Kind.GET, next, found);
        window.fence(false, false);
        assertEquals(ByteBuffer.wrap(zeros), ByteBuffer.wrap(found));
        Arrays.fill(found, (byte) (next + 1));
        access(window, Access.Kind.PUT, next, found);
        window.fence(false, true);
        ByteBuffer mine = window.memory(rank);
        assertEquals(sizes[rank], mine.capacity());
        for (int i = 0; i < sizes[rank]; i++) {
            assertEquals(rank + 1, mine.get(i));
        }
        window.free();
    }

    private static void access(WindowEnd window, Access.Kind kind, int target, byte[] bytes) {
        Access access = new Access("access", kind, target, 0, TypeMap.contiguous(bytes.length, 1), bytes.length);
        if (kind == Access.Kind.GET) {
            access.result = bytes;
        } else {
            access.origin = bytes;
        }
        window.access(access);
    }

    /** A rank that is slow to leave a window must not find another window's numbers in its memory. */
    @Test
    void windowsOfOtherRanksMeanwhileDisturbNobody() throws Exception {
        ThreadJob.run(LoopbackJob.endpoints(3), (provider, world) -> {
            int rank = world.rank();
            Communicator pair = world.split(rank == 2 ? 1 : 0, 0);
            Communicator other = world.split(rank == 1 ? 1 : 0, 0);
            for (int i = 0; i < 200; i++) {
                for (Communicator comm : new Communicator[] {world, pair, other}) {
                    WindowEnd window = window(comm, i % 2 == 0 ? WindowKind.CREATED : WindowKind.ALLOCATED, BYTES);
                    window.fence(false, false);
                    window.free();
                }
            }
        });
    }
}

package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.CollectiveTrial.SUM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mpi.MPIException;
import mpi.spi.Communicator;
import org.brigade.transport.Endpoint;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives on device memory that no kernel serves: each rank's memory is read and written once. */
class StagedReductionTest {
    /** More than the kernels serve. */
    private static final int RANKS = 9;

    private interface Program {
        void run(Communicator world, FakeDevices mine);
    }

    private static void job(Program program) throws Exception {
        Endpoint[] endpoints = LoopbackJob.endpoints(RANKS);
        FakeDevices[] devices = FakeDevices.ofJob(RANKS);
        ThreadJob.run(endpoints, false, devices, (provider, world) -> program.run(world, devices[world.rank()]));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 300, 20_000, 200_000})
    void anAllreduceReadsTheInputOnceAndWritesTheResultOnce(int count) throws Exception {
        job((world, mine) -> {
            FakeMemory send = mine.allocate(4 * count);
            FakeMemory recv = mine.allocate(4 * count);
            send.memory().putInt(4 * (count - 1), world.rank() + 1);
            calls(world).allreduce(send, 0, recv, 0, count, INT, SUM, true);
            assertEquals(RANKS * (RANKS + 1) / 2, recv.memory().getInt(4 * (count - 1)));
            assertEquals("1 1", send.copies + " " + recv.copies, "copies of the input and of the result");
            calls(world).allreduce(null, 0, send, 0, count, INT, SUM, true);
            assertEquals(RANKS * (RANKS + 1) / 2, send.memory().getInt(4 * (count - 1)));
            assertEquals(3, send.copies, "of the input, and in place of input and result");
            assertEquals(0, mine.runs, "on devices");
        });
    }

    @Test
    void onlyTheRootsMemoryIsWritten() throws Exception {
        int count = 50_000;
        job((world, mine) -> {
            FakeMemory send = mine.allocate(4 * count);
            FakeMemory recv = mine.allocate(4 * count);
            send.memory().putInt(0, 1);
            recv.memory().putInt(0, -1);
            calls(world).reduce(send, 0, recv, 0, count, INT, SUM, 3, true);
            assertEquals(world.rank() == 3 ? RANKS : -1, recv.memory().getInt(0));
            calls(world).scan(send, 0, recv, 0, count, INT, SUM, true);
            assertEquals(world.rank() + 1, recv.memory().getInt(0));
        });
    }

    @Test
    void anAllgatherReadsOneBlockAndWritesAllAtOnce() throws Exception {
        job((world, mine) -> {
            FakeMemory send = mine.allocate(4 * 1000);
            FakeMemory recv = mine.allocate(4 * 1000 * RANKS);
            send.memory().putInt(4 * 999, world.rank());
            calls(world).allgather(send, 0, 1000, INT, recv, 0, 1000, INT, true);
            for (int peer = 0; peer < RANKS; peer++) {
                assertEquals(peer, recv.memory().getInt(4 * (1000 * peer + 999)));
            }
            assertEquals("1 1", send.copies + " " + recv.copies);
        });
    }

    @Test
    void anInputThatCannotBeReadIsAnErrorOnAllRanksAndTheNextCallIsFine() throws Exception {
        job((world, mine) -> {
            FakeMemory memory = mine.allocate(4 * 5000);
            memory.goodReads = world.rank() == 4 ? 0 : Integer.MAX_VALUE;
            MPIException thrown = assertThrows(MPIException.class,
                () -> calls(world).allreduce(null, 0, memory, 0, 5000, INT, SUM, true));
            assertTrue(world.rank() != 4 || thrown.getMessage().contains("the device fell off the bus"),
                thrown.getMessage());
            memory.goodReads = Integer.MAX_VALUE;
            memory.memory().putInt(0, 1);
            calls(world).allreduce(null, 0, memory, 0, 5000, INT, SUM, true);
            assertEquals(RANKS, memory.memory().getInt(0));
        });
    }
}

package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.Payloads.BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Envelope;
import mpi.spi.Operation;
import mpi.spi.SendMode;
import org.brigade.communicator.job.Contexts;
import org.junit.jupiter.api.Test;

/** Contexts of freed communicators are used again, and nothing of the old ones is taken for the new ones'. */
class ContextsTest {
    private static final int FEW = 8;

    @Test
    void aMillionCommunicatorsOneAfterAnotherNeedNoMoreContextsThanOne() {
        Contexts contexts = new Contexts(100, FEW);
        long before = -1;
        for (int i = 0; i < 1_000_000; i++) {
            long id = contexts.take();
            assertEquals(100, (int) id);
            assertTrue(id > before, "a first call that has been before: " + id);
            before = id;
            contexts.ended(100, 2, 1, id >>> 32, true);
            contexts.ended(100, 2, -1, (id >>> 32) + 3, true);
        }
    }

    @Test
    void aContextIsUsedAgainOnlyWhenAllHaveFreedItAndAllIsReceived() {
        Contexts contexts = new Contexts(100, 3);
        int one = (int) contexts.take();
        contexts.ended(one, 2, 0, 4, true);
        int waiting = (int) contexts.take();
        assertFalse(one == waiting, "one member has not freed it");
        contexts.ended(waiting, 1, 0, 4, false);
        int lost = (int) contexts.take();
        assertFalse(lost == waiting, "a receive still waits");
        contexts.ended(lost, 2, 2, 4, true);
        contexts.ended(lost, 2, -1, 4, true);
        MPIException thrown = assertThrows(MPIException.class, contexts::take, "a message has not been received");
        assertTrue(thrown.getMessage().contains("leads 3 communicators"), thrown.getMessage());
        contexts.ended(one, 2, 0, 9, true);
        assertEquals(10L << 32 | one, contexts.take());
    }

    @Test
    void thousandsOfCommunicatorsAreMadeOfAFewContexts() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(3, 0), (provider, world) -> {
            int rank = world.rank();
            provider.job().use(new Contexts(1000 * (rank + 1), FEW));
            for (int i = 0; i < 3000; i++) {
                Communicator comm = switch (i % 5) {
                    case 0 -> world.duplicate();
                    case 1 -> world.split(rank % 2, -rank);
                    case 2 -> world.create(new int[] {2, 0});
                    case 3 -> world.split(rank == 1 ? -1 : 0, 0);
                    default -> rank < 2 ? world.createGroup(new int[] {1, 0}, i) : null;
                };
                if (comm != null) {
                    new CollectiveTrial(comm, 0, i % 50, false, false, i % 2 == 0, false).run(Collective.ALLGATHER);
                    int to = (comm.rank() + 1) % comm.size();
                    int[] got = new int[1];
                    Operation recv = comm.irecv(got, 0, 1, INT, -1, -1);
                    comm.send(new int[] {i}, 0, 1, INT, to, i, i % 3 == 0 ? SendMode.SYNCHRONOUS : SendMode.STANDARD);
                    recv.await();
                    assertEquals(i, got[0]);
                    comm.free();
                }
                calls(world).barrier(true); // whoever leads has been told by all
            }
        });
    }

    /** Their groups exchange more than they make calls: no key of theirs comes twice either. */
    @Test
    void communicatorsWhoseCallsRunOnDevicesGiveTheirContextsBack() throws Exception {
        FakeDevices[] devices = FakeDevices.ofJob(3);
        ThreadJob.run(Jobs.WIDE.endpoints(3, 0), false, devices, (provider, world) -> {
            provider.job().use(new Contexts(1000 * (world.rank() + 1), FEW));
            FakeDevices mine = devices[world.rank()];
            for (int i = 0; i < 60; i++) {
                Communicator comm = world.duplicate();
                mine.closedForGroups = i % 3 == 1 && world.rank() == 1;
                for (int call = 0; call <= i % 2; call++) {
                    new CollectiveTrial(comm, 0, 12, false, false, true, false, mine).run(Collective.ALLREDUCE);
                }
                comm.free();
                calls(world).barrier(true); // whoever leads has been told by all
            }
            assertEquals(40, mine.closed);
        });
    }

    @Test
    void aMessageThatNobodyReceivedIsNotTakenForALaterCommunicators() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 0), (provider, world) -> {
            for (int i = 0; i < 20; i++) {
                Communicator old = world.duplicate();
                if (world.rank() == 1) {
                    old.send(new byte[1], 0, 1, BYTE, 0, 7, SendMode.STANDARD);
                }
                old.free();
                calls(world).barrier(true);
                Communicator next = world.duplicate();
                assertFalse(next.iprobe(-1, -1, new Envelope()), "round " + i + ": the old one's message is there");
                next.free();
                calls(world).barrier(true);
            }
        });
    }
}

package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.CollectiveTrial.SUM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.ElementKind;
import mpi.spi.Operation;
import mpi.spi.Reduction;
import mpi.spi.TypeLayout;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.algorithm.kernel.PacketsKernel;
import org.brigade.device.DeviceCommunicator;
import org.brigade.transport.Endpoint;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Collectives give what MPI says wherever each rank's data lies; they run on the devices exactly if all ranks block and
 * have reachable device memory.
 */
@Tag("slow")
class DeviceCollectivesTest {
    private static final int[] COUNTS = {0, 1, 7, 12, 250, 5000, 40_000};

    /** Which ranks have their data on devices. */
    private enum Where {
        ALL, ALL_BUT_LAST, ODD, UNREACHABLE_AT_LAST, NO_GROUP_AT_LAST;

        boolean onDevice(int rank, int ranks) {
            return this == ODD ? rank % 2 == 1 : this != ALL_BUT_LAST || rank < ranks - 1;
        }
    }

    private interface Program {
        void run(Communicator world, FakeDevices mine);
    }

    private static void job(Endpoint[] endpoints, boolean checks, Program program) throws Exception {
        FakeDevices[] devices = FakeDevices.ofJob(endpoints.length);
        ThreadJob.run(endpoints, checks, devices, (provider, world) -> program.run(world, devices[world.rank()]));
    }

    private static void job(int ranks, Program program) throws Exception {
        job(LoopbackJob.endpoints(ranks), false, program);
    }

    private static void trials(Communicator world, FakeDevices mine, Collective collective, Where where, int counts) {
        int ranks = world.size();
        FakeDevices here = where.onDevice(world.rank(), ranks) ? mine : null;
        mine.unreachable = where == Where.UNREACHABLE_AT_LAST && world.rank() == ranks - 1;
        mine.closedForGroups = where == Where.NO_GROUP_AT_LAST && world.rank() == ranks - 1;
        for (int c = 0; c < counts; c++) {
            int count = COUNTS[c];
            for (int form = 0; form < 8; form++) {
                boolean inPlace = (form & 1) != 0 && collective != Collective.BCAST;
                boolean blocking = (form & 2) != 0;
                boolean ordered = (form & 4) != 0;
                if (ordered && (!collective.reduces || count % 2 != 0)) {
                    continue;
                }
                int before = mine.runs;
                new CollectiveTrial(world, (count + form) % ranks, count, false, inPlace, blocking, ordered, here)
                    .run(collective);
                boolean runs =
                    where == Where.ALL && blocking && !ordered && ranks > 1 && hasKernels(collective)
                        && !(inPlace && overwritesItsInput(collective, 4L * count * ranks));
                if (count >= 7) {
                    assertEquals(runs ? 1 : 0, mine.runs - before,
                        collective.key() + " of " + count + " ints on rank " + world.rank() + " of " + ranks + ", "
                            + where
                            + (inPlace ? ", in place" : "") + (blocking ? "" : ", nonblocking")
                            + (ordered ? ", user's operation" : "") + ": calls that ran on the devices");
                }
            }
        }
    }

    /** Whether the catalogue lists more than the staged algorithm. */
    static boolean hasKernels(Collective collective) {
        return DeviceCatalogue.of(collective).size() > 1;
    }

    /** In place these need packets, which not all sizes fit into. */
    private static boolean overwritesItsInput(Collective collective, long allBytes) {
        return switch (collective) {
            case ALLTOALLV -> true;
            case REDUCE_SCATTER -> allBytes > PacketsKernel.MOST_BYTES;
            default -> false;
        };
    }

    @Tag("once")
    @ParameterizedTest
    @EnumSource(Collective.class)
    void everyCollectiveGivesWhatMpiSaysWhereverTheDataLies(Collective collective) throws Exception {
        for (int ranks = 1; ranks <= 5; ranks++) {
            for (Where where : Where.values()) {
                job(ranks, (world, mine) -> trials(world, mine, collective, where, 6));
            }
        }
    }

    @Tag("once")
    @ParameterizedTest
    @EnumSource(Collective.class)
    void everyCollectiveComesThroughNarrowAndWildLinks(Collective collective) throws Exception {
        for (Where where : Where.values()) {
            job(LoopbackJob.narrowEndpoints(3), false, (world, mine) -> trials(world, mine, collective, where, 7));
            job(Jobs.WILD.endpoints(4, where.ordinal()), false,
                (world, mine) -> trials(world, mine, collective, where, 5));
        }
    }

    @Test
    void withMoreRanksThanTheKernelsServeTheHostMovesIt() throws Exception {
        job(9, (world, mine) -> {
            for (Collective collective : Collective.values()) {
                new CollectiveTrial(world, 2, 250, false, false, true, false, mine).run(collective);
            }
            assertEquals(0, mine.runs);
        });
    }

    /** Equation (6) of Xin, Xie, Li (2020): one copy at the root, whatever number of ranks it sends to. */
    @Test
    void aBcastIsCopiedOnceFromItsRootAndOnceToEachOther() throws Exception {
        System.setProperty("brigade.bcast.device.algorithm", "staged");
        try {
            for (String algorithm : new String[] {"knomial", "direct", "double-tree", "opposite-chains"}) {
                System.setProperty("brigade.bcast.algorithm", algorithm);
                job(6, (world, mine) -> {
                    FakeMemory memory = mine.allocate(400_000);
                    for (int length : new int[] {400_000, 0}) {
                        int before = memory.copies;
                        memory.memory().putInt(length / 2, world.rank() == 2 ? 77 : 0);
                        calls(world).bcast(memory, 0, length / 4, INT, 2, true);
                        assertEquals(length == 0 ? 0 : 1, memory.copies - before, algorithm + ", rank " + world.rank());
                        assertEquals(length == 0 && world.rank() != 2 ? 0 : 77, memory.memory().getInt(length / 2));
                    }
                    assertEquals(0, mine.runs);
                });
            }
        } finally {
            System.clearProperty("brigade.bcast.algorithm");
            System.clearProperty("brigade.bcast.device.algorithm");
        }
    }

    @Test
    void oneRankMayHaveItsTwoBuffersInDifferentPlaces() throws Exception {
        job(3, (world, mine) -> {
            for (int count : new int[] {3, 300, 30_000}) {
                FakeMemory memory = mine.allocate(4 * count);
                int[] ints = CollectiveTrial.contribution(world.rank(), count);
                calls(world).allreduce(ints, 0, memory, 0, count, INT, SUM, true);
                assertEquals(3 * 1000003 + 3, memory.memory().getInt(4), "from host to device, element 1");
                memory.memory().putInt(4, world.rank());
                int[] result = new int[count];
                calls(world).allreduce(memory, 0, result, 0, count, INT, SUM, true);
                assertEquals(3, result[1], "from device to host, element 1");
            }
            assertEquals(0, mine.runs);
        });
    }

    @Test
    void whatOneRanksBuffersDoNotAllowRunsOtherwiseOnAll() throws Exception {
        System.setProperty("brigade.allreduce.device.algorithm", "ring");
        try {
            job(3, (world, mine) -> {
                for (int crooked = -1; crooked < 3; crooked++) {
                    FakeMemory send = aligned(mine).plus(world.rank() == crooked ? 4 : 0);
                    FakeMemory recv = aligned(mine);
                    send.memory().putInt(0, world.rank());
                    calls(world).allreduce(send, 0, recv, 0, 100, INT, SUM, true);
                    assertEquals(crooked < 0 ? "ring" : "packets", mine.lastRun,
                        "with rank " + crooked + "'s input at no multiple of 16, on rank " + world.rank());
                    assertEquals(3, recv.memory().getInt(0));
                }
                assertEquals(4, mine.runs);
            });
        } finally {
            System.clearProperty("brigade.allreduce.device.algorithm");
        }
    }

    private static FakeMemory aligned(FakeDevices mine) {
        FakeMemory memory = mine.allocate(1024);
        return memory.plus((int) (-memory.address & 15));
    }

    @Test
    void offsetsAreCountedFromThePointer() throws Exception {
        job(4, (world, mine) -> {
            FakeMemory send = mine.allocate(400);
            FakeMemory recv = mine.allocate(400);
            send.memory().putInt(40, 10 + world.rank());
            calls(world).allgather(send, 40, 1, INT, recv, 80, 1, INT, true);
            for (int peer = 0; peer < 4; peer++) {
                assertEquals(10 + peer, recv.memory().getInt(80 + 4 * peer));
            }
            calls(world).allreduce(send.plus(20), 20, recv.plus(8), 4, 1, INT, SUM, true);
            assertEquals(46, recv.memory().getInt(12));
            assertEquals(2, mine.runs);
        });
    }

    @Test
    void everyPredefinedReductionRunsOnTheDevicesWhereItemsLieAsKernelsReadThem() throws Exception {
        TypeLayout complex = TypeLayout.of("MPI.DOUBLE_COMPLEX", ElementKind.DOUBLE, 2, TypeLayout.Numbers.COMPLEX);
        TypeLayout half = TypeLayout.of("MPI.FLOAT16", ElementKind.SHORT, 1, TypeLayout.Numbers.FLOAT16);
        TypeLayout triple = TypeLayout.of("three ints", ElementKind.INT, 3);
        job(2, (world, mine) -> {
            FakeMemory memory = FakeMemory.allocate(0, 4096, Long.MAX_VALUE - world.rank());
            mine.adopt(memory);
            for (int at = 0; at < 4096; at += 8) {
                memory.memory().putDouble(at, 1.5);
            }
            int before = mine.runs;
            calls(world).allreduce(null, 0, memory, 0, 4, complex, SUM, true);
            assertEquals(1, mine.runs - before, "aligned items");
            calls(world).allreduce(null, 0, memory, 8, 4, complex, SUM, true);
            assertEquals(1, mine.runs - before, "items between their multiples");
            assertEquals(3.0, memory.memory().getDouble(0));
            assertEquals(6.0, memory.memory().getDouble(8), "added up twice");
            calls(world).allreduce(null, 0, memory, 0, 4, triple, SUM, true);
            assertEquals(1, mine.runs - before, "items of a size that no kernel has");
            memory.memory().putShort(0, (short) 0x3c00);
            calls(world).allreduce(null, 0, memory, 0, 1, half, SUM, true);
            assertEquals(0x4000, memory.memory().getShort(0), "1 + 1 in 16 bits");
            assertEquals(2, mine.runs - before);
        });
    }

    // ---- what goes wrong ----

    /** Between nodes calls are not announced, so only brigade.check compares them. */
    @ParameterizedTest
    @EnumSource(value = Jobs.class, mode = EnumSource.Mode.EXCLUDE, names = "NODES")
    void callsThatDoNotMatchAreAnErrorOnEveryRank(Jobs kind) throws Exception {
        for (boolean checks : new boolean[] {false, true}) {
            for (int ranks = 2; ranks <= 4; ranks++) {
                job(kind.endpoints(ranks, 3), checks, (world, mine) -> {
                    boolean last = world.rank() == world.size() - 1;
                    FakeMemory memory = mine.allocate(400);
                    for (int round = 0; round < 3; round++) {
                        MPIException thrown = assertThrows(MPIException.class, () -> {
                            if (last) {
                                calls(world).bcast(memory, 0, 100, INT, 0, true);
                            } else {
                                calls(world).bcast(memory, 0, 99, INT, 0, true);
                            }
                        });
                        assertEquals(ErrorClass.NOT_SAME.code, thrown.getErrorClass(), thrown.getMessage());
                        assertTrue(thrown.getMessage().contains("bcast of 400 bytes from root 0")
                            && thrown.getMessage().contains("bcast of 396 bytes from root 0"), thrown.getMessage());
                        thrown = assertThrows(MPIException.class, () -> {
                            if (last) {
                                calls(world).allreduce(null, 0, memory, 0, 100, INT, SUM, true);
                            } else {
                                calls(world).allreduce(null, 0, memory, 0, 100, INT,
                                    Reduction.predefined(Reduction.Operator.MAX), true);
                            }
                        });
                        assertEquals(ErrorClass.NOT_SAME.code, thrown.getErrorClass(), thrown.getMessage());
                        new CollectiveTrial(world, 0, 300, false, false, true, false, mine).run(Collective.ALLREDUCE);
                    }
                    assertEquals(3, mine.runs);
                });
            }
        }
    }

    @Test
    void withTheCheckOnMatchingCallsStillRunOnTheDevicesAndOthersAreErrors() throws Exception {
        job(LoopbackJob.endpoints(3), true, (world, mine) -> {
            int served = 0;
            for (Collective collective : Collective.values()) {
                served += hasKernels(collective) ? 1 : 0;
                new CollectiveTrial(world, 1, 300, false, false, true, false, mine).run(collective);
                new CollectiveTrial(world, 1, 300, false, false, true, false, world.rank() == 1 ? null : mine)
                    .run(collective);
            }
            assertEquals(served, mine.runs);
            FakeMemory memory = mine.allocate(400);
            MPIException thrown = assertThrows(MPIException.class, () -> {
                if (world.rank() == 0) {
                    calls(world).barrier(true);
                } else {
                    calls(world).bcast(memory, 0, 100, INT, 0, true);
                }
            });
            assertEquals(ErrorClass.NOT_SAME.code, thrown.getErrorClass(), thrown.getMessage());
        });
    }

    @Test
    void whatARankRefusesBeforeItAnnouncesItMayTryAgain() throws Exception {
        job(3, (world, mine) -> {
            FakeMemory memory = mine.allocate(400);
            calls(world).bcast(memory, 0, 100, INT, 0, true);
            if (world.rank() == 1) {
                mine.refusal = "buf is on GPU 1, and this communicator's group works on GPU 0; allocate there";
                MPIException thrown =
                    assertThrows(MPIException.class, () -> calls(world).bcast(memory, 0, 100, INT, 0, true));
                assertTrue(thrown.getMessage().contains("on rank 1 of 3") && thrown.getMessage().endsWith(mine.refusal),
                    thrown.getMessage());
                mine.refusal = null;
            }
            calls(world).bcast(memory, 0, 100, INT, 0, true);
            assertEquals(2, mine.runs);
        });
    }

    @Test
    void whatARankRefusesInTheFirstCallIsAnErrorOnAll() throws Exception {
        job(3, (world, mine) -> {
            FakeMemory memory = mine.allocate(400);
            mine.refusal = world.rank() == 1 ? "not this one" : null;
            MPIException thrown =
                assertThrows(MPIException.class, () -> calls(world).bcast(memory, 0, 100, INT, 0, true));
            assertTrue(thrown.getMessage().contains(world.rank() == 1 ? "not this one" : "rank 1 cannot do its part"),
                thrown.getMessage());
            mine.refusal = null;
            calls(world).bcast(memory, 0, 100, INT, 0, true);
            assertEquals(1, mine.runs);
        });
    }

    // ---- communicators ----

    @Test
    void callsOfOverlappingCommunicatorsAndNonblockingOnesGoTogether() throws Exception {
        for (int seed = 0; seed < 6; seed++) {
            int s = seed;
            job(Jobs.values()[seed % 3].endpoints(4, seed), false, (world, mine) -> {
                Communicator twin = world.duplicate();
                Communicator half = world.split(world.rank() % 2, 0);
                Random random = new Random(s);
                for (int i = 0; i < 60; i++) {
                    int[] sum = {world.rank()};
                    Operation under = calls(world).allreduce(null, 0, sum, 0, 1, INT, SUM, false);
                    FakeMemory later = mine.allocate(40_000);
                    later.memory().putInt(0, world.rank() + i);
                    Operation onDevice = calls(twin).allreduce(null, 0, later, 0, 10_000, INT, SUM, false);
                    Communicator comm = new Communicator[] {world, twin, half}[random.nextInt(3)];
                    Collective collective = Collective.values()[random.nextInt(Collective.values().length)];
                    boolean here = (random.nextInt() & 1 << world.rank()) != 0 | random.nextBoolean();
                    new CollectiveTrial(comm, comm.size() - 1, 1 + random.nextInt(500), false, false, true, false,
                        here ? mine : null).run(collective);
                    onDevice.await();
                    under.await();
                    assertEquals(6, sum[0]);
                    assertEquals(6 + 4 * i, later.memory().getInt(0));
                }
            });
        }
    }

    @Test
    void communicatorsThatComeAndGoNeverRunOutOfLines() throws Exception {
        job(3, (world, mine) -> {
            Communicator lasting = world.duplicate();
            for (int i = 0; i < 400; i++) {
                Communicator comm = i % 2 == 0 ? world.duplicate() : lasting.split(0, 0);
                FakeMemory memory = mine.allocate(8);
                memory.memory().putInt(0, i);
                int before = mine.runs;
                calls(comm).bcast(memory, 0, 2, INT, i % 3, true);
                assertEquals(1, mine.runs - before, "calls on the devices of communicator " + i);
                comm.free();
            }
            assertEquals(400, mine.opened);
            assertEquals(400, mine.closed);
        });
    }

    @Test
    void moreCommunicatorsAtOnceThanLinesGoThroughTheHost() throws Exception {
        job(2, (world, mine) -> {
            Communicator[] many = new Communicator[300];
            int before = mine.runs;
            for (int i = 0; i < many.length; i++) {
                // One rank runs out earlier than the other.
                many[i] = world.duplicate();
                if (i < 20) {
                    world.split(world.rank() == 0 ? 0 : -1, 0);
                }
            }
            int ran = 0;
            for (Communicator comm : many) {
                new CollectiveTrial(comm, 0, 10, false, false, true, false, mine).run(Collective.ALLREDUCE);
            }
            ran = mine.runs - before;
            assertTrue(ran >= 250 && ran < 300, ran + " calls ran on the devices");
            new CollectiveTrial(world, 0, 10, false, false, true, false, mine).run(Collective.ALLREDUCE);
            assertEquals(ran + 1, mine.runs - before, "the first communicators keep their lines");
        });
    }

    @Test
    void theGroupIsThereForExtensions() throws Exception {
        job(3, (world, mine) -> {
            DeviceCommunicator comm = (DeviceCommunicator) world;
            FakeMemory memory = mine.allocate(16);
            assertSame(comm.deviceGroup(memory), comm.deviceGroup(memory));
            calls(world).bcast(memory, 0, 4, INT, 0, true);
            assertEquals(1, mine.opened);
            assertEquals(1, mine.runs);
            Communicator other = world.duplicate();
            mine.unreachable = world.rank() == 2;
            FakeMemory hidden = mine.allocate(16);
            assertNull(((DeviceCommunicator) other).deviceGroup(hidden));
            mine.unreachable = false;
        });
    }
}

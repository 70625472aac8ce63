package org.brigade.communicator;

import static org.brigade.communicator.CollectiveCalls.calls;
import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.CollectiveTrial.SUM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of counts that are longer than the communicator, and ranks that do not mean the same number of bytes. */
@Isolated // forces algorithms through system properties
@Tag("once")
class UnequalCountsTest {
    private static final int HUGE = Integer.MAX_VALUE;

    private static void end(Operation operation) {
        if (operation != null) {
            operation.await();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void arraysLongerThanTheCommunicatorAreReadUpToItsSize(boolean blocking) throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(2, 0), (provider, world) -> {
            int rank = world.rank();
            int[] counts = {1, 2, HUGE, -1};
            int[] at = {0, 1};
            int[] mine = rank == 0 ? new int[] {10} : new int[] {20, 21};
            int[] all = new int[3];
            end(calls(world).allgatherv(mine, 0, mine.length, INT, all, 0, counts, at, INT, blocking));
            assertArrayEquals(new int[] {10, 20, 21}, all);
            int[] shortCounts = {1, 2};
            int[] longAt = {0, 1, HUGE};
            all = new int[3];
            end(calls(world).allgatherv(mine, 0, mine.length, INT, all, 0, shortCounts, longAt, INT, blocking));
            assertArrayEquals(new int[] {10, 20, 21}, all);
            all = new int[3];
            end(calls(world).gatherv(mine, 0, mine.length, INT, all, 0, counts, at, INT, 0, blocking));
            assertArrayEquals(rank == 0 ? new int[] {10, 20, 21} : new int[3], all);
            int[] part = new int[rank + 1];
            end(calls(world).scatterv(new int[] {1, 2, 3}, 0, counts, at, INT, part, 0, rank + 1, INT, 0, blocking));
            assertArrayEquals(rank == 0 ? new int[] {1} : new int[] {2, 3}, part);
            int[] each = {1, 1, HUGE};
            int[] got = new int[2];
            end(calls(world).alltoallv(new int[] {rank * 2, rank * 2 + 1}, 0, each, at, INT, got, 0, each, at, INT,
                blocking));
            assertArrayEquals(new int[] {rank, rank + 2}, got);
            int[] summed = {1, 2, 3};
            end(calls(world).reduceScatter(null, 0, summed, 0, new int[] {2, 1, 1 << 29}, INT, SUM, blocking));
            assertArrayEquals(rank == 0 ? new int[] {2, 4, 3} : new int[] {6, 2, 3}, summed);
        });
    }

    @Test
    void aRankThatStaysOutOfASplitBySharedMemoryIsInNoOnesCommunicator() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(3, 0), (provider, world) -> {
            Communicator mine = world.rank() == 0 ? world.split(-1, 0) : world.splitShared(0);
            if (world.rank() == 0) {
                assertNull(mine);
            } else {
                assertEquals(2, mine.size());
                calls(mine).barrier(true);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Jobs.class)
    void whatARankSendsItselfIsAsLongAsItSends(Jobs kind) throws Exception {
        ThreadJob.run(kind.endpoints(2, 1), (provider, world) -> {
            int rank = world.rank();
            int[] got = new int[4];
            calls(world).scatterv(new int[] {1, 2, 3, 4}, 0, new int[] {1, 2}, new int[] {0, 1}, INT, got, 0, 4, INT, 0,
                true);
            assertArrayEquals(rank == 0 ? new int[] {1, 0, 0, 0} : new int[] {2, 3, 0, 0}, got);
            got = new int[8];
            calls(world).gatherv(new int[] {rank + 1}, 0, 1, INT, got, 0, new int[] {4, 4}, new int[] {0, 4}, INT, 0,
                true);
            assertArrayEquals(rank == 0 ? new int[] {1, 0, 0, 0, 2, 0, 0, 0} : new int[8], got);
            got = new int[4];
            calls(world).scatter(new int[] {1, 2}, 0, 1, INT, got, 0, 4, INT, 0, true);
            assertArrayEquals(new int[] {rank + 1, 0, 0, 0}, got);
            got = new int[4];
            calls(world).alltoallv(new int[] {rank, rank}, 0, new int[] {1, 1}, new int[] {0, 1}, INT, got, 0,
                new int[] {2, 2}, new int[] {0, 2}, INT, true);
            assertArrayEquals(new int[] {0, 0, 1, 0}, got);
        });
    }

    /** As MPI has it: displacements of empty blocks mean nothing, and may lie behind the buffer. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void emptyBlocksMayLieBehindTheBuffer(Jobs kind) throws Exception {
        ThreadJob.run(kind.endpoints(2, 1), (provider, world) -> {
            int[] one = {5}, none = {};
            int[] counts = {0, 0}, behind = {0, 4};
            for (Object buffer : new Object[] {none, IntBuffer.wrap(none)}) {
                calls(world).allgatherv(none, 0, 0, INT, buffer, 0, counts, behind, INT, true);
                calls(world).gatherv(none, 0, 0, INT, buffer, 0, counts, behind, INT, 0, true);
                calls(world).scatterv(buffer, 0, counts, behind, INT, none, 0, 0, INT, 0, true);
                calls(world).alltoallv(buffer, 0, counts, behind, INT, buffer, 0, counts, behind, INT, true);
            }
            int[] got = {7};
            calls(world).allgatherv(one, 0, world.rank() == 0 ? 1 : 0, INT, got, 0, new int[] {1, 0}, behind, INT,
                true);
            assertArrayEquals(one, got);
        });
    }

    @Test
    void moreThanARankExpectsOfItselfIsTooMuch() throws Exception {
        ThreadJob.run(Jobs.WIDE.endpoints(1, 1), (provider, world) -> {
            int[] got = {7, 7, 7};
            MPIException thrown = assertThrows(MPIException.class,
                () -> calls(world).alltoallv(new int[] {1, 2}, 0, new int[] {2}, new int[] {0}, INT, got, 0,
                    new int[] {1}, new int[] {0}, INT, true));
            assertEquals(ErrorClass.TRUNCATE.code, thrown.getErrorClass(), thrown.getMessage());
            assertTrue(thrown.getMessage().contains("rank 0 sent 8 bytes where 4 were expected"), thrown.getMessage());
            assertArrayEquals(new int[] {7, 7, 7}, got);
        });
    }

    /** Whole windows, parts of one, less than one: the root's bytes come, and what is behind them stays. */
    @ParameterizedTest
    @EnumSource(Jobs.class)
    void aBroadcastMayBringLessThanThereIsRoomFor(Jobs kind) throws Exception {
        String[] algorithms = {"direct", "knomial", "pipelined-chain"};
        for (String algorithm : algorithms) {
            System.setProperty("brigade.bcast.algorithm", algorithm);
            System.setProperty("brigade.bcast.chunk", "1024");
            try {
                for (int count : new int[] {1, 200, 256, 300, 512, 1023}) {
                    ThreadJob.run(kind.endpoints(4, count), (provider, world) -> {
                        for (boolean blocking : new boolean[] {true, false}) {
                            boolean root = world.rank() == 1;
                            int[] data = new int[1024];
                            for (int i = 0; root && i < data.length; i++) {
                                data[i] = i + 1;
                            }
                            end(calls(world).bcast(data, 0, root ? count : 1024, INT, 1, blocking));
                            for (int i = 0; i < data.length; i++) {
                                assertEquals(root || i < count ? i + 1 : 0, data[i],
                                    algorithm + " of " + count + ", item " + i + " on rank " + world.rank());
                            }
                            calls(world).barrier(true);
                        }
                    });
                }
            } finally {
                System.clearProperty("brigade.bcast.algorithm");
                System.clearProperty("brigade.bcast.chunk");
            }
        }
    }

    @Test
    void aWindowThatIsFullIsTooMuchIfMoreFollows() throws Exception {
        System.setProperty("brigade.bcast.algorithm", "pipelined-chain");
        System.setProperty("brigade.bcast.chunk", "1024");
        try {
            ThreadJob.run(Jobs.WIDE.endpoints(2, 0), (provider, world) -> {
                int[] data = new int[512];
                if (world.rank() == 0) {
                    calls(world).bcast(data, 0, 512, INT, 0, true);
                } else {
                    MPIException thrown =
                        assertThrows(MPIException.class, () -> calls(world).bcast(data, 0, 256, INT, 0, true));
                    assertEquals(ErrorClass.TRUNCATE.code, thrown.getErrorClass(), thrown.getMessage());
                }
                calls(world).barrier(true);
            });
        } finally {
            System.clearProperty("brigade.bcast.algorithm");
            System.clearProperty("brigade.bcast.chunk");
        }
    }

    /** Each rank gets the root's items or an error, and the next calls work, whatever each of them chooses. */
    @ParameterizedTest
    @EnumSource(value = Jobs.class, mode = EnumSource.Mode.EXCLUDE, names = "NODES")
    void aBroadcastOfMuchLessThanExpectedNeitherHangsNorBringsAnythingElse(Jobs kind) throws Exception {
        int[] counts = {0, 1, 100, 1_000, 20_000, 400_000};
        for (int few = 0; few < counts.length; few++) {
            for (int many = few + 1; many < counts.length; many++) {
                int sent = counts[few];
                int room = counts[many];
                ThreadJob.run(kind.endpoints(5, few), (provider, world) -> {
                    boolean root = world.rank() == 1;
                    calls(world).bcast(new int[400_000], 0, 400_000, INT, 0, true); // here the ranks ask each other how
                                                                                    // they are wired
                    int[] data = new int[root ? sent : room];
                    Arrays.fill(data, root ? 7 : 3);
                    try {
                        calls(world).bcast(data, 0, data.length, INT, 1, true);
                        for (int i = 0; i < data.length; i++) {
                            assertEquals(root || i < sent ? 7 : 3, data[i], sent + " items where there is room for "
                                + room + ", item " + i + " on rank " + world.rank());
                        }
                    } catch (MPIException e) {
                        assertEquals(ErrorClass.TRUNCATE.code, e.getErrorClass(), e.getMessage());
                    }
                    for (int i = 0; i < 3; i++) {
                        new CollectiveTrial(world, 0, 300, false, false, true, false).run(Collective.ALLTOALL);
                    }
                });
            }
        }
    }
}

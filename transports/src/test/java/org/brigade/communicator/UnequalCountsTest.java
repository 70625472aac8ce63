package org.brigade.communicator;

import static org.brigade.communicator.CollectiveTrial.INT;
import static org.brigade.communicator.CollectiveTrial.SUM;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import mpi.spi.Communicator;
import mpi.spi.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of counts that are longer than the communicator, and ranks that do not mean the same number of bytes. */
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
            end(world.allgatherv(mine, 0, mine.length, INT, all, 0, counts, at, INT, blocking));
            assertArrayEquals(new int[] {10, 20, 21}, all);
            int[] shortCounts = {1, 2};
            int[] longAt = {0, 1, HUGE};
            all = new int[3];
            end(world.allgatherv(mine, 0, mine.length, INT, all, 0, shortCounts, longAt, INT, blocking));
            assertArrayEquals(new int[] {10, 20, 21}, all);
            all = new int[3];
            end(world.gatherv(mine, 0, mine.length, INT, all, 0, counts, at, INT, 0, blocking));
            assertArrayEquals(rank == 0 ? new int[] {10, 20, 21} : new int[3], all);
            int[] part = new int[rank + 1];
            end(world.scatterv(new int[] {1, 2, 3}, 0, counts, at, INT, part, 0, rank + 1, INT, 0, blocking));
            assertArrayEquals(rank == 0 ? new int[] {1} : new int[] {2, 3}, part);
            int[] each = {1, 1, HUGE};
            int[] got = new int[2];
            end(world.alltoallv(new int[] {rank * 2, rank * 2 + 1}, 0, each, at, INT, got, 0, each, at, INT, blocking));
            assertArrayEquals(new int[] {rank, rank + 2}, got);
            int[] summed = {1, 2, 3};
            end(world.reduceScatter(null, 0, summed, 0, new int[] {2, 1, 1 << 29}, INT, SUM, blocking));
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
                mine.barrier(true);
            }
        });
    }
}

package org.brigade.transport.cuda.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import mpi.spi.Collective;
import org.brigade.algorithm.DeviceKernel;
import org.brigade.algorithm.kernel.ChainKernel;
import org.brigade.algorithm.kernel.ChainReduceKernel;
import org.brigade.algorithm.kernel.PushTwoPhaseKernel;
import org.brigade.algorithm.kernel.RingKernel;
import org.brigade.algorithm.kernel.ScatterAllgatherKernel;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.transport.cuda.kernel.Blocks;
import org.brigade.transport.cuda.kernel.CallArguments;
import org.brigade.transport.cuda.kernel.GridLimits;
import org.brigade.transport.cuda.kernel.KernelOrders;
import org.junit.jupiter.api.Test;

/**
 * Grids and windows of the pipelines: whatever is wished, kernels can work with it, and all members come to the same.
 */
class PipelineLaunchTest {
    private static final long[] SIZES = {1, 100, 5000, 1 << 20, (16 << 20) + 12, 1L << 30, 1L << 40};
    private static final int[] WISHED_BLOCKS = {0, 1, 3, 64, 512};
    private static final long[] WISHED_CHUNKS = {0, 1, 1000, 64 << 10, 1 << 30};

    private static final DeviceKernel RING = new RingKernel();
    private static final DeviceKernel CHAIN = new ChainKernel();
    private static final DeviceKernel CHAIN_REDUCE = new ChainReduceKernel();

    private static Blocks call(Collective collective, int ranks, int rank, int root, long bytes) {
        Blocks blocks = new Blocks(ranks, rank);
        blocks.collective = collective;
        blocks.root = root;
        blocks.bytes = bytes;
        blocks.next = (rank + 1) % ranks;
        return blocks;
    }

    /** By the kernels' own formulas. */
    private static void fits(DeviceKernel kernel, Blocks call, int grid, long wished) {
        long window = kernel.window(call, grid, wished, CallArguments.WINDOWS_BYTES);
        String what = kernel.name() + " of " + call.bytes + " bytes, " + call.ranks + " ranks, " + grid
            + " blocks, window " + window;
        assertTrue(window > 0 && window % 128 == 0, what);
        long slots = CallArguments.WINDOWS_BYTES / window
            / (kernel == RING || kernel == CHAIN_REDUCE ? grid : grid / 2 * (call.ranks - 1L));
        assertTrue(slots >= 2, what + ": " + slots + " slots");
    }

    @Test
    void whateverIsWishedFitsTheScratch() {
        for (int limit : new int[] {1, 2, 4, 132, 512}) {
            for (int ranks = 2; ranks <= 8; ranks++) {
                for (long bytes : SIZES) {
                    for (int blocks : WISHED_BLOCKS) {
                        for (DeviceKernel kernel : List.of(new PushTwoPhaseKernel(), RING, CHAIN_REDUCE)) {
                            Blocks call = kernel == CHAIN_REDUCE ? call(Collective.REDUCE, ranks, 0, 1, bytes)
                                : call(Collective.ALLREDUCE, ranks, 0, -1, bytes);
                            int grid = new KernelLaunch(kernel, null, new GridLimits(limit), KernelOrders.BY_RANK, null)
                                .grid(call, blocks, limit);
                            assertTrue(grid <= Math.max(limit, 2), kernel.name() + ": " + grid + " blocks of " + limit);
                            assertEquals(0, kernel instanceof PushTwoPhaseKernel ? grid % 2 : 0,
                                "a pair of blocks shares a lane");
                            for (long wished : WISHED_CHUNKS) {
                                fits(kernel, call, grid, wished);
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void onlyThePeersThatAreStoredIntoAreMapped() {
        Blocks reduceScatter = call(Collective.REDUCE_SCATTER, 4, 1, -1, 1 << 20);
        Blocks allgather = call(Collective.ALLGATHER, 4, 1, -1, 1 << 20);
        Blocks bcast = call(Collective.BCAST, 4, 1, 0, 1 << 20);
        Blocks last = call(Collective.BCAST, 4, 3, 0, 1 << 20);
        for (int member = 0; member < 4; member++) {
            if (member != 1) {
                assertEquals(false, RING.storesInto(reduceScatter, member));
                assertEquals(false, CHAIN_REDUCE.storesInto(call(Collective.REDUCE, 4, 1, 0, 1 << 20), member));
                assertEquals(member == 2, RING.storesInto(allgather, member));
                assertEquals(member == 2, CHAIN.storesInto(bcast, member));
                assertEquals(false, CHAIN.storesInto(last, member), "the root is the chain's begin");
                assertEquals(member != 0, new ScatterAllgatherKernel().storesInto(bcast, member));
            }
        }
        assertEquals(DeviceKernel.REDUCE_SCATTER, new PushTwoPhaseKernel().flags(reduceScatter));
        assertEquals(0, RING.flags(allgather));
    }

    private static boolean stores(DeviceKernel kernel, KernelOrders numberings, Blocks call, int member) {
        call.next = numberings.of(kernel.order(), call.root).next(call.rank, call.ranks);
        return kernel.storesInto(call, member);
    }

    /** The kernel gets no other peer's address, so it cannot go another way. */
    @Test
    void withWiresOnlyTheNextInTheirOrderIsMapped() {
        Order order = Order.of(new int[] {0, 2, 1, 3});
        int[] behind = {2, 3, 1, 0};
        for (int root = 0; root < 4; root++) {
            for (int rank = 0; rank < 4; rank++) {
                KernelOrders ring =
                    KernelOrders.of(new CommunicatorTopology(order, Levels.NONE, null), rank, new long[4]);
                KernelOrders chains = KernelOrders.of(
                    new CommunicatorTopology(null, Levels.NONE,
                        from -> Order.of(new int[] {from, from ^ 2, from ^ 3, from ^ 1})),
                    rank, new long[4]);
                int last = root ^ 1;
                Blocks allgather = call(Collective.ALLGATHER, 4, rank, -1, 1 << 20);
                Blocks bcast = call(Collective.BCAST, 4, rank, root, 1 << 20);
                for (int member = 0; member < 4; member++) {
                    String what = "rank " + rank + " into " + member + " from root " + root;
                    assertEquals(member == behind[rank], stores(RING, ring, allgather, member), what);
                    assertEquals(member == behind[rank] && member != root, stores(CHAIN, ring, bcast, member), what);
                    int next = rank == root ? root ^ 2 : rank == (root ^ 2) ? root ^ 3 : last;
                    assertEquals(rank != last && member == next, stores(CHAIN, chains, bcast, member), what);
                    assertEquals(member == (rank + 1) % 4, stores(RING, chains, allgather, member),
                        "there is no order of the ring");
                }
            }
        }
    }
}

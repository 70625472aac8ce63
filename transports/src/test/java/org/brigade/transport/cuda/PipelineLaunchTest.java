package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.device.DeviceCall;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;
import org.brigade.pattern.Wires;
import mpi.spi.Collective;
import org.brigade.select.Choice;
import org.junit.jupiter.api.Test;

/** Grids and windows of the pipelines: whatever is wished, kernels can work with it, and all members come to the same. */
class PipelineLaunchTest {
    private static final long[] SIZES = {1, 100, 5000, 1 << 20, (16 << 20) + 12, 1L << 30, 1L << 40};
    private static final int[] WISHED_BLOCKS = {0, 1, 3, 64, 512};
    private static final long[] WISHED_CHUNKS = {0, 1, 1000, 64 << 10, 1 << 30};

    private static DeviceCall call(Collective collective, String algorithm, int ranks, long bytes, int blocks, long chunk) {
        DeviceCall call = new DeviceCall(ranks);
        call.collective = collective;
        call.root = collective.rooted ? 0 : -1;
        call.bytes = bytes;
        call.choice = new Choice(DeviceCatalogue.find(collective, algorithm), chunk, 2, blocks, 0, "the test");
        return call;
    }

    /** By the kernels' own formulas. */
    private static void fits(String algorithm, PipelineLaunch launch, DeviceCall call, int ranks, int grid) {
        long chunk = launch.chunk(call, ranks, grid);
        String what = algorithm + " of " + call.bytes + " bytes, " + ranks + " ranks, " + grid + " blocks, chunk " + chunk;
        assertTrue(chunk > 0 && chunk % 128 == 0, what);
        long slots = switch (algorithm) {
            case "push-two-phase" -> CallArguments.WINDOWS_BYTES / (grid / 2 * (ranks - 1L) * chunk);
            case "ring" -> CallArguments.WINDOWS_BYTES / (grid * chunk);
            default -> 2;
        };
        assertTrue(slots >= 2, what + ": " + slots + " slots");
    }

    @Test
    void whateverIsWishedFitsTheScratch() {
        for (int limit : new int[] {1, 2, 4, 132, 512}) {
            GridLimits limits = new GridLimits(limit);
            for (int ranks = 2; ranks <= 8; ranks++) {
                for (long bytes : SIZES) {
                    for (int blocks : WISHED_BLOCKS) {
                        for (long chunk : WISHED_CHUNKS) {
                            for (PipelineLaunch launch : List.of(new PushTwoPhaseLaunch(null, limits), new RingLaunch(null, limits, Numberings.BY_RANK))) {
                                String algorithm = launch instanceof RingLaunch ? "ring" : "push-two-phase";
                                DeviceCall call = call(Collective.ALLREDUCE, algorithm, ranks, bytes, blocks, chunk);
                                int grid = launch.grid(call, new Blocks(ranks, 0), ranks);
                                assertTrue(grid <= Math.max(limit, 2), algorithm + ": " + grid + " blocks of " + limit);
                                assertEquals(0, algorithm.equals("ring") ? 0 : grid % 2, "a pair of blocks shares a lane");
                                fits(algorithm, launch, call, ranks, grid);
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void onlyThePeersThatAreStoredIntoAreMapped() {
        GridLimits limits = new GridLimits(132);
        Blocks blocks = new Blocks(4, 1);
        DeviceCall reduceScatter = call(Collective.REDUCE_SCATTER, "ring", 4, 1 << 20, 0, 0);
        DeviceCall allgather = call(Collective.ALLGATHER, "ring", 4, 1 << 20, 0, 0);
        DeviceCall chain = call(Collective.BCAST, "chain", 4, 1 << 20, 0, 0);
        for (int member = 0; member < 4; member++) {
            if (member != 1) {
                assertEquals(false, new RingLaunch(null, limits, Numberings.BY_RANK).storesInto(reduceScatter, blocks, 1, member));
                assertEquals(member == 2, new RingLaunch(null, limits, Numberings.BY_RANK).storesInto(allgather, blocks, 1, member));
                assertEquals(member == 2, new ChainLaunch(null, limits, Numberings.BY_RANK, null).storesInto(chain, blocks, 1, member));
                assertEquals(false, new ChainLaunch(null, limits, Numberings.BY_RANK, null).storesInto(chain, new Blocks(4, 3), 3, member), "the root is the chain's begin");
                assertEquals(member != 0, new ScatterAllgatherLaunch(null, limits).storesInto(chain, blocks, 1, member));
            }
        }
        assertEquals(CallArguments.REDUCE_SCATTER, new PushTwoPhaseLaunch(null, limits).flags(reduceScatter));
        assertEquals(0, new RingLaunch(null, limits, Numberings.BY_RANK).flags(allgather));
    }

    /** The kernel gets no other peer's address, so it cannot go another way. */
    @Test
    void withWiresOnlyTheNextInTheirOrderIsMapped() {
        GridLimits limits = new GridLimits(132);
        Order order = Order.of(new int[] {0, 2, 1, 3});
        int[] behind = {2, 3, 1, 0};
        DeviceCall allgather = call(Collective.ALLGATHER, "ring", 4, 1 << 20, 0, 0);
        DeviceCall bcast = call(Collective.BCAST, "chain", 4, 1 << 20, 0, 0);
        for (int root = 0; root < 4; root++) {
            bcast.root = root;
            for (int rank = 0; rank < 4; rank++) {
                Numberings ring = Numberings.of(new Wires(order, Levels.NONE, null), rank, new long[4]);
                Numberings chains = Numberings.of(new Wires(null, Levels.NONE, from -> Order.of(new int[] {from, from ^ 2, from ^ 3, from ^ 1})), rank, new long[4]);
                int last = root ^ 1;
                for (int member = 0; member < 4; member++) {
                    String what = "rank " + rank + " into " + member + " from root " + root;
                    Blocks blocks = new Blocks(4, rank);
                    assertEquals(member == behind[rank], new RingLaunch(null, limits, ring).storesInto(allgather, blocks, rank, member), what);
                    assertEquals(member == behind[rank] && member != root, new ChainLaunch(null, limits, ring, null).storesInto(bcast, blocks, rank, member), what);
                    int next = rank == root ? root ^ 2 : rank == (root ^ 2) ? root ^ 3 : last;
                    assertEquals(rank != last && member == next, new ChainLaunch(null, limits, chains, null).storesInto(bcast, blocks, rank, member), what);
                    assertEquals(member == (rank + 1) % 4, new RingLaunch(null, limits, chains).storesInto(allgather, blocks, rank, member), "there is no order of the ring");
                }
            }
        }
    }
}

package org.brigade.topology.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.brigade.topology.profile.Crossing;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;
import org.brigade.topology.profile.TransferType;
import org.junit.jupiter.api.Test;

class PathSearchTest {
    private static NodeLayout layout(int gpus, int numas, long seed) {
        int[] numaOfGpu = new int[gpus];
        java.util.Random random = new java.util.Random(seed);
        for (int gpu = 0; gpu < gpus; gpu++) {
            numaOfGpu[gpu] = random.nextInt(numas);
        }
        return NodeLayout.uniform(numas, numaOfGpu, random.nextInt(numas));
    }

    @Property(tries = 60)
    void ringsAndChainsAreAsFastAsTheFastestOfAll(@ForAll @IntRange(min = 2, max = 4) int gpus,
        @ForAll @IntRange(min = 1, max = 3) int numas, @ForAll long seed) {
        NodeLayout layout = layout(gpus, numas, seed);
        SharedWires machine = new SharedWires(layout, seed, false);
        PathSearch search = new PathSearch(layout, machine);
        BruteForce all = new BruteForce(layout, machine);
        for (int mask = 1; mask <= layout.allGpus(); mask++) {
            if (Integer.bitCount(mask) > 1) {
                MeasuredPath ring = search.ring(mask);
                assertEquals(all.ring(mask), ring.bandwidth(), () -> "ring: " + ring);
                assertEquals(ring.bandwidth(), machine.bandwidth(TransferSet.of(ring.body())),
                    () -> "its transfers: " + ring);
                assertEquals(ring, MeasuredPath.of(ring.bandwidth(), mask, ring.body(), true));
                int start = 31 - Integer.numberOfLeadingZeros(mask);
                MeasuredPath chain = search.chain(mask, start);
                assertEquals(all.chain(mask, start), chain.bandwidth(), () -> "chain from " + start + ": " + chain);
                assertEquals(start, chain.gpus().get(0));
            }
        }
    }

    @Property(tries = 25)
    void waysThroughANodeAreAsFastAsTheFastestOfAll(@ForAll @IntRange(min = 1, max = 3) int gpus,
        @ForAll @IntRange(min = 1, max = 2) int numas, @ForAll long seed) {
        NodeLayout layout = layout(gpus, numas, seed);
        SharedWires machine = new SharedWires(layout, seed, false);
        PathSearch search = new PathSearch(layout, machine);
        BruteForce all = new BruteForce(layout, machine);
        int mask = layout.allGpus();
        for (Crossing head : Crossing.all(layout)) {
            for (Crossing tail : Crossing.all(layout)) {
                MeasuredPath path = search.through(mask, head, tail, -1);
                double best = all.through(mask, head, tail);
                assertEquals(best, path == null ? 0 : path.bandwidth(),
                    () -> "from " + head + " to " + tail + ": " + path);
            }
        }
    }

    @Test
    void aCrossingIntoAGpuThatIsNotInTheSetHasNoWay() {
        NodeLayout layout = NodeLayout.uniform(1, new int[] {0, 0, 0}, 0);
        PathSearch search = new PathSearch(layout, set -> 1e9);
        assertNull(search.through(0b011, new Crossing(true, 0, true, 2), new Crossing(true, 0, true, 0), -1));
        assertNull(search.through(0b011, new Crossing(true, 0, true, 1), new Crossing(true, 1, true, 0), -1),
            "one GPU cannot be both ends of two");
        assertEquals(List.of(1),
            search.through(0b010, new Crossing(true, 0, true, 1), new Crossing(true, 1, true, 0), -1).gpus());
    }

    @Test
    void aWayMayBeginAtTheRootOrEndNowhere() {
        NodeLayout layout = NodeLayout.uniform(1, new int[] {0, 0, 0}, 0);
        PathSearch search = new PathSearch(layout, new SharedWires(layout, 5, false));
        assertEquals(2, search.through(0b111, null, new Crossing(true, 0, true, 0), 2).gpus().get(0));
        MeasuredPath last = search.through(0b111, new Crossing(false, 0, false, 0), null, -1);
        assertEquals(3, last.gpus().size());
        assertEquals(TransferType.GPU_READ_CPUMEM_KERNEL, last.body().get(0).type(), last::toString);
    }

    @Test
    void fromGpuToGpuThereAreWritesReadsAndABounceInEachMemory() {
        NodeLayout layout = NodeLayout.uniform(2, new int[] {0, 1});
        List<List<Transfer>> ways = new PathSearch(layout, set -> 1e9).hops(0, 1);
        assertEquals(List.of(List.of(Mover.KERNEL.write(0, 1)), List.of(Mover.KERNEL.read(0, 1)),
            List.of(Mover.KERNEL.toHost(0, 0), Mover.KERNEL.fromHost(0, 1)),
            List.of(Mover.KERNEL.toHost(0, 1), Mover.KERNEL.fromHost(1, 1))), ways);
        assertEquals(2 * 2 + 2 * 4,
            new PathSearch(layout, set -> 1e9, List.of(Mover.KERNEL, Mover.MEMCPY), 0, warning -> {}).hops(0, 1).size(),
            "each end of a bounce by either");
    }

    @Test
    void gpusThatDoNotReachEachOtherMeetInHostMemory() {
        NodeLayout uniform = NodeLayout.uniform(2, new int[] {0, 1});
        NodeLayout apart = new NodeLayout(2, uniform.numaOfGpu(), uniform.nicNuma(), new boolean[2][2],
            uniform.gpuRelation(), uniform.numaRelation());
        MeasuredPath ring = new PathSearch(apart, set -> 1e9).ring(0b11);
        assertEquals(4, ring.body().size(), ring::toString);
        assertTrue(ring.body().stream().noneMatch(transfer -> transfer.type().peer()), ring::toString);
    }

    @Test
    void aSupersetThatMeasuresFasterIsWarnedOf() {
        NodeLayout layout = NodeLayout.uniform(1, new int[] {0, 0});
        List<String> warnings = new ArrayList<>();
        new PathSearch(layout, set -> set.size() * 1e9, List.of(Mover.KERNEL), 0, warnings::add).ring(0b11);
        assertTrue(
            !warnings.isEmpty()
                && warnings.get(0).matches("measured \\d.0 GB/s for GPU.*, but only \\d.0 without \\[GPU.*busy.*"),
            warnings::toString);
        warnings.clear();
        new PathSearch(layout, set -> 1e9 * (1 + 0.01 * set.size()), List.of(Mover.KERNEL), 0, warnings::add)
            .ring(0b11);
        assertEquals(List.of(), warnings, "1 % is noise");
    }

    @Property(tries = 30)
    void aToleranceCostsAtMostItself(@ForAll long seed) {
        NodeLayout layout = layout(4, 2, seed);
        SharedWires machine = new SharedWires(layout, seed, false);
        double exact = new PathSearch(layout, machine).ring(15).bandwidth();
        double near = new PathSearch(layout, machine, List.of(Mover.KERNEL), 0.05, warning -> {}).ring(15).bandwidth();
        assertTrue(near * 1.05001 >= exact, near + " of " + exact);
    }

    @Test
    void aSearchWithToleranceDoesNotGetLostInNoise() {
        NodeLayout layout = NodeLayout.uniform(2, new int[] {0, 0, 0, 0, 1, 1, 1, 1});
        java.util.Random random = new java.util.Random(3);
        int[] measured = new int[1];
        TransferMeter noisy = set -> {
            measured[0]++;
            return 10e9 * (1 - 0.01 * random.nextDouble());
        };
        new PathSearch(layout, noisy, List.of(Mover.KERNEL), 0.03, warning -> {}).ring(255);
        assertTrue(measured[0] < 2000, measured[0] + " sets");
    }

    /** Reading measures a little faster here and there, writing as fast up to the tolerance. */
    @Test
    void ofReadsAndWritesThatMeasureAlikeAPathHasWrites() {
        NodeLayout layout = NodeLayout.uniform(1, new int[] {0, 0, 0, 0});
        TransferMeter noisy = set -> 1e10 * (1 - 0.001 * (set.hashCode() & 7));
        for (int start = 0; start < 4; start++) {
            MeasuredPath chain =
                new PathSearch(layout, noisy, List.of(Mover.MEMCPY), 0.03, warning -> {}).chain(15, start);
            assertTrue(chain.body().stream().noneMatch(transfer -> transfer.type().read()), chain::toString);
        }
        TransferMeter reading = set -> set.transfers().stream().allMatch(each -> each.type().read()) ? 1e10 : 9e9;
        MeasuredPath ring = new PathSearch(layout, reading, List.of(Mover.MEMCPY), 0.03, warning -> {}).ring(15);
        assertTrue(ring.body().stream().allMatch(transfer -> transfer.type().read()), ring::toString);
    }

    @Test
    void anEmptySetOfGpusIsRefused() {
        PathSearch search = new PathSearch(NodeLayout.uniform(1, new int[] {0, 0}), set -> 1e9);
        assertThrows(IllegalArgumentException.class, () -> search.ring(0));
        assertThrows(IllegalArgumentException.class, () -> search.ring(1));
        assertThrows(IllegalArgumentException.class, () -> search.ring(7));
    }
}

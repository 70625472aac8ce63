package org.brigade.topology.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.brigade.topology.profile.Crossing;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;
import org.junit.jupiter.api.Test;

class IsomorphismCacheTest {
    /** Two GPUs on each of three NUMA nodes, an adapter on the first. */
    private static final NodeLayout LAYOUT = NodeLayout.uniform(3, new int[] {0, 0, 1, 1, 2, 2}, 0);

    private static TransferSet some(Random random, boolean inter) {
        List<Transfer> transfers = new ArrayList<>();
        List<Crossing> crossings = Crossing.all(LAYOUT);
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            int a = random.nextInt(6);
            int b = (a + 1 + random.nextInt(5)) % 6;
            int numa = random.nextInt(3);
            transfers.add(switch (random.nextInt(4)) {
                case 0 -> Mover.KERNEL.write(a, b);
                case 1 -> Mover.KERNEL.read(a, b);
                case 2 -> Mover.KERNEL.toHost(a, numa);
                default -> Mover.KERNEL.fromHost(numa, a);
            });
        }
        if (inter) {
            transfers.add(crossings.get(random.nextInt(crossings.size())).head());
        }
        return TransferSet.of(transfers);
    }

    private static TransferSet renamed(TransferSet set, int[] numa, int[] gpu) {
        List<Transfer> renamed = new ArrayList<>();
        for (Transfer transfer : set.transfers()) {
            int from = (transfer.type().fromGpu() ? gpu : numa)[transfer.from()];
            int to = (transfer.type().toGpu() ? gpu : numa)[transfer.to()];
            renamed.add(new Transfer(transfer.type(), transfer.fromNode(), transfer.toNode(), from, to));
        }
        return TransferSet.of(renamed);
    }

    /** A renaming of NUMA nodes, and of GPUs within them. */
    private static int[][] names(Random random) {
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
        Collections.shuffle(order, random);
        int[] numa = new int[3];
        int[] gpu = new int[6];
        for (int i = 0; i < 3; i++) {
            numa[i] = order.get(i);
            int swap = random.nextInt(2);
            gpu[2 * i] = 2 * numa[i] + swap;
            gpu[2 * i + 1] = 2 * numa[i] + 1 - swap;
        }
        return new int[][] {numa, gpu};
    }

    @Property
    void aSetByOtherNamesIsAHit(@ForAll long seed) {
        Random random = new Random(seed);
        TransferSet set = some(random, false);
        int[][] names = names(random);
        TransferSet other = renamed(set, names[0], names[1]);
        IsomorphismCache cache = new IsomorphismCache(LAYOUT, measured -> 1 + measured.hashCode() % 1000 / 2000.0);
        assertEquals(cache.bandwidth(set), cache.bandwidth(other), () -> set + " and " + other);
        assertEquals(1, cache.measurements());
    }

    /** Against all renamings there are. */
    @Property
    void onlyRenamingsAreHits(@ForAll long seed) {
        Random random = new Random(seed);
        boolean inter = random.nextBoolean();
        TransferSet a = some(random, inter);
        TransferSet b = random.nextInt(3) == 0 ? some(random, inter)
            : renamed(mutated(a, random), names(random)[0], names(random)[1]);
        boolean expected = false;
        for (int[] numa : new int[][] {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
            for (int swaps = 0; swaps < 8; swaps++) {
                int[] gpu = new int[6];
                for (int i = 0; i < 6; i++) {
                    gpu[i] = 2 * numa[i / 2] + (i % 2 ^ swaps >> i / 2 & 1);
                }
                if (!inter) {
                    expected |= renamed(a, numa, gpu).equals(b);
                }
            }
        }
        boolean found = Isomorphism.between(LAYOUT, a, b);
        if (inter) {
            // Between nodes the two hosts are renamed apart; each has its adapter's NUMA node fixed.
            if (found) {
                assertEquals(Isomorphism.hash(LAYOUT, a), Isomorphism.hash(LAYOUT, b));
            }
            return;
        }
        assertEquals(expected, found, () -> a + " and " + b);
    }

    private static TransferSet mutated(TransferSet set, Random random) {
        List<Transfer> transfers = new ArrayList<>(set.transfers());
        if (random.nextBoolean() && transfers.size() > 1) {
            transfers.remove(random.nextInt(transfers.size()));
            transfers.add(Mover.KERNEL.write(random.nextInt(3), 3 + random.nextInt(3)));
        }
        return TransferSet.of(transfers);
    }

    @Test
    void whereAnAdapterTakesPartItsNumaNodeKeepsItsName() {
        Crossing near = new Crossing(true, 0, true, 0);
        Crossing far = new Crossing(true, 0, true, 2);
        Crossing alsoFar = new Crossing(true, 1, true, 5);
        assertFalse(Isomorphism.between(LAYOUT, TransferSet.of(near.head()), TransferSet.of(far.head())));
        assertTrue(Isomorphism.between(LAYOUT, TransferSet.of(far.head()), TransferSet.of(alsoFar.head())));
    }

    @Test
    void gpusAndMemoriesThatAreNotRelatedAlikeAreNotExchanged() {
        NodeLayout uniform = NodeLayout.uniform(3, new int[] {0, 1, 2});
        // NUMA nodes 0 and 1 share a socket.
        int[][] sockets = {{0, 1, 2}, {1, 0, 2}, {2, 2, 0}};
        NodeLayout layout =
            new NodeLayout(3, uniform.numaOfGpu(), uniform.nicNuma(), uniform.peers(), uniform.gpuRelation(), sockets);
        TransferSet within = TransferSet.of(Mover.KERNEL.write(0, 1));
        TransferSet across = TransferSet.of(Mover.KERNEL.write(0, 2));
        assertTrue(Isomorphism.between(uniform, within, across));
        assertFalse(Isomorphism.between(layout, within, across));
        assertTrue(Isomorphism.between(layout, across, TransferSet.of(Mover.KERNEL.write(2, 1))));
    }

    @Property(tries = 20)
    void withTheCacheTheSameRingsAreFoundWithFewerMeasurements(@ForAll long seed) {
        long[] calls = ringsWithAndWithoutTheCache(seed);
        assertTrue(calls[0] < calls[1], calls[0] + " measurements with and " + calls[1] + " without");
    }

    /** How many a machine saves depends on its wires, so the half is claimed of many machines together. */
    @Test
    void theCacheSavesMoreThanHalfOfTheMeasurements() {
        long with = 0;
        long without = 0;
        for (long seed = 0; seed < 20; seed++) {
            long[] calls = ringsWithAndWithoutTheCache(seed);
            with += calls[0];
            without += calls[1];
        }
        assertTrue(2 * with < without, with + " measurements with and " + without + " without");
    }

    /** Finds the best ring of every group of GPUs twice, and returns the measurements with the cache and without. */
    private static long[] ringsWithAndWithoutTheCache(long seed) {
        NodeLayout layout = NodeLayout.uniform(4, new int[] {3, 1, 1, 0}, 0);
        SharedWires machine = new SharedWires(layout, seed, true);
        SharedWires again = new SharedWires(layout, seed, true);
        IsomorphismCache cache = new IsomorphismCache(layout, machine);
        for (int mask = 3; mask < 16; mask++) {
            if (Integer.bitCount(mask) > 1) {
                assertEquals(new PathSearch(layout, again).ring(mask).bandwidth(),
                    new PathSearch(layout, cache).ring(mask).bandwidth());
            }
        }
        assertEquals(machine.calls, cache.measurements());
        return new long[] {machine.calls, again.calls};
    }

    @Test
    void aMeasurementOfNothingIsRefused() {
        TransferSet set = TransferSet.of(Mover.KERNEL.write(0, 1));
        assertThrows(IllegalStateException.class, () -> new IsomorphismCache(LAYOUT, measured -> 0).bandwidth(set));
        assertThrows(IllegalStateException.class,
            () -> new IsomorphismCache(LAYOUT, measured -> Double.NaN).bandwidth(set));
    }
}

package org.brigade.pattern;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChainSearchTest {
    /** Transfers share directed links equally: the rate of each is the least of its links' shares. */
    private static final class Shared implements ChainBandwidth {
        private final int[][][] ways;
        private final double[] capacity;
        private final int[] users;
        long calls;

        /** @param ways by sender and receiver: the numbers of the links on the way */
        Shared(int[][][] ways, double[] capacity) {
            this.ways = ways;
            this.capacity = capacity;
            users = new int[capacity.length];
        }

        @Override
        public double of(int[] ranks, int from, int to) {
            calls++;
            Arrays.fill(users, 0);
            for (int i = from; i + 1 < to; i++) {
                for (int link : ways[ranks[i]][ranks[i + 1]]) {
                    users[link]++;
                }
            }
            double least = Double.POSITIVE_INFINITY;
            for (int link = 0; link < users.length; link++) {
                least = users[link] == 0 ? least : Math.min(least, capacity[link] / users[link]);
            }
            return least;
        }
    }

    /** Any two ranks joined by up to three of a few links of random capacities. */
    private static Shared randomLinks(int ranks, Random random) {
        double[] capacity = new double[3 + random.nextInt(2 * ranks)];
        for (int link = 0; link < capacity.length; link++) {
            capacity[link] = 1 + random.nextInt(12);
        }
        int[][][] ways = new int[ranks][ranks][];
        for (int[][] from : ways) {
            for (int to = 0; to < ranks; to++) {
                from[to] = random.ints(1 + random.nextInt(3), 0, capacity.length).distinct().toArray();
            }
        }
        return new Shared(ways, capacity);
    }

    /**
     * GPUs below switches below processors, each link with a rate up and one down. The leaves' parents are drawn at
     * random, so neighbours in number are often far apart.
     *
     * @param halfDuplex whether the two directions of a link share it
     */
    private static Shared tree(int ranks, int switches, int sockets, boolean halfDuplex, Random random) {
        int[] switchOf = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            switchOf[rank] = random.nextInt(switches);
        }
        int[] socketOf = random.ints(switches, 0, sockets).toArray();
        int nodes = ranks + switches + sockets;
        double[] capacity = new double[2 * nodes];
        for (int link = 0; link < capacity.length; link++) {
            boolean between = link / 2 >= ranks + switches;
            capacity[link] = halfDuplex && link % 2 == 1 ? capacity[link - 1]
                : between ? 4 + random.nextInt(8) : 8 + random.nextInt(8);
        }
        int[][][] ways = new int[ranks][ranks][];
        for (int from = 0; from < ranks; from++) {
            for (int to = 0; to < ranks; to++) {
                List<Integer> way = new ArrayList<>(List.of(2 * from, 2 * to + (halfDuplex ? 0 : 1)));
                if (switchOf[from] != switchOf[to]) {
                    way.add(2 * (ranks + switchOf[from]));
                    way.add(2 * (ranks + switchOf[to]) + (halfDuplex ? 0 : 1));
                    int one = socketOf[switchOf[from]];
                    int other = socketOf[switchOf[to]];
                    if (one != other) {
                        way.add(2 * (ranks + switches + one));
                        way.add(2 * (ranks + switches + other) + (halfDuplex ? 0 : 1));
                    }
                }
                ways[from][to] = way.stream().mapToInt(Integer::intValue).distinct().toArray();
            }
        }
        return new Shared(ways, capacity);
    }

    private static double bruteForce(ChainBandwidth bandwidth, int[] chain, int from) {
        if (from == chain.length) {
            return bandwidth.of(chain, 0, chain.length);
        }
        double best = 0;
        for (int i = from; i < chain.length; i++) {
            swap(chain, from, i);
            best = Math.max(best, bruteForce(bandwidth, chain, from + 1));
            swap(chain, from, i);
        }
        return best;
    }

    private static void swap(int[] chain, int i, int j) {
        int kept = chain[i];
        chain[i] = chain[j];
        chain[j] = kept;
    }

    private static int[] plain(int ranks, int root) {
        int[] chain = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            chain[i] = (root + i) % ranks;
        }
        return chain;
    }

    private static void assertBest(Shared wires, int ranks, int root, String what) {
        int[] found = new ChainSearch(wires, Order.identity(ranks), Levels.NONE).from(root).toArray();
        assertEquals(root, found[0], what);
        double best = bruteForce(wires, plain(ranks, root), 1);
        assertEquals(best, wires.of(found, 0, ranks), best * 1e-6, what + ": found " + Arrays.toString(found));
    }

    @Test
    void upTo8RanksAreAsGoodAsBruteForceOnRandomLinks() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int ranks = 1 + seed % 8;
            assertBest(randomLinks(ranks, random), ranks, random.nextInt(ranks),
                ranks + " ranks, links of seed " + seed);
        }
    }

    @Test
    void upTo8RanksAreAsGoodAsBruteForceOnTreesLikeMachines() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int ranks = 2 + seed % 7;
            assertBest(tree(ranks, 1 + seed % 4, 1 + seed % 2, seed % 3 == 0, random), ranks, random.nextInt(ranks),
                ranks + " ranks, tree of seed " + seed);
        }
    }

    /** Brigade's chain from every root, on trees of up to 40 ranks, with their groups known and not. */
    @Test
    void noChainIsSlowerThanThePlainOne() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            int ranks = 9 + random.nextInt(32);
            Shared wires = tree(ranks, 2 + seed % 5, 2, seed % 2 == 0, random);
            int[][] nodes = {random.ints(ranks, 0, 1 + ranks / 6).toArray()};
            Order order = random.nextBoolean() ? Order.identity(ranks) : shuffled(ranks, random);
            for (Levels levels : List.of(Levels.NONE, new Levels(nodes))) {
                int root = random.nextInt(ranks);
                int[] found = new ChainSearch(wires, order, levels).from(root).toArray();
                int[] along = new int[ranks];
                for (int i = 0; i < ranks; i++) {
                    along[i] = order.rank((order.position(root) + i) % ranks);
                }
                assertEquals(root, found[0], "seed " + seed);
                assertTrue(wires.of(found, 0, ranks) >= wires.of(along, 0, ranks),
                    "seed " + seed + ": " + Arrays.toString(found));
            }
        }
    }

    private static Order shuffled(int ranks, Random random) {
        int[] order = plain(ranks, 0);
        for (int i = ranks - 1; i > 0; i--) {
            swap(order, i, random.nextInt(i + 1));
        }
        return Order.of(order);
    }

    @Test
    void whereNothingIsToBeGainedTheChainIsThePlainOne() {
        Shared alike = new Shared(new int[7][7][0], new double[] {1});
        Order order = Order.of(new int[] {0, 2, 4, 6, 1, 3, 5});
        assertArrayEquals(new int[] {4, 6, 1, 3, 5, 0, 2},
            new ChainSearch(alike, order, Levels.NONE).from(4).toArray());
    }

    /** Even ranks on one switch, odd ones on the other: rank order crosses with every hop, the best chain once. */
    @Test
    void ranksOfOneSwitchComeOneAfterAnother() {
        int ranks = 16;
        int[][][] ways = new int[ranks][ranks][];
        for (int from = 0; from < ranks; from++) {
            for (int to = 0; to < ranks; to++) {
                ways[from][to] = from % 2 == to % 2 ? new int[] {} : new int[] {from % 2};
            }
        }
        Shared wires = new Shared(ways, new double[] {10, 10});
        int[] found = new ChainSearch(wires, Order.identity(ranks), Levels.NONE).from(3).toArray();
        assertEquals(10, wires.of(found, 0, ranks), Arrays.toString(found));
        for (int i = 0; i < ranks; i++) {
            assertEquals(i < 8 ? 1 : 0, found[i] % 2, Arrays.toString(found));
        }
    }

    /**
     * Two nodes whose adapter hangs at their last rank: the first is best left by its last, the second entered there,
     * so one of them runs backwards.
     */
    @Test
    void eachNodeMayRunInItsOwnDirection() {
        int node = 6;
        int ranks = 2 * node;
        int[][][] ways = new int[ranks][ranks][];
        for (int from = 0; from < ranks; from++) {
            for (int to = 0; to < ranks; to++) {
                // Within a node neighbours have a half-duplex link; whoever is far from the adapter borrows the
                // neighbours' links to get there.
                List<Integer> way = new ArrayList<>();
                if (from / node == to / node) {
                    walk(way, from, to);
                } else {
                    walk(way, from, from / node * node + node - 1);
                    way.add(ranks + from / node);
                    walk(way, to / node * node + node - 1, to);
                }
                ways[from][to] = way.stream().mapToInt(Integer::intValue).toArray();
            }
        }
        double[] capacity = new double[ranks + 2];
        Arrays.fill(capacity, 10);
        Shared wires = new Shared(ways, capacity);
        int[][] groups = {new int[ranks]};
        for (int rank = 0; rank < ranks; rank++) {
            groups[0][rank] = rank / node;
        }
        int[] found = new ChainSearch(wires, Order.identity(ranks), new Levels(groups)).from(0).toArray();
        assertArrayEquals(new int[] {0, 1, 2, 3, 4, 5, 11, 10, 9, 8, 7, 6}, found, Arrays.toString(found));
    }

    private static void walk(List<Integer> way, int from, int to) {
        for (int at = from; at != to; at += at < to ? 1 : -1) {
            way.add(at < to ? at : at - 1);
        }
    }

    @Test
    void workIsBounded() {
        Random random = new Random(1);
        int ranks = 64;
        Shared wires = tree(ranks, 16, 8, true, random);
        new ChainSearch(wires, Order.identity(ranks), Levels.NONE).from(0);
        assertTrue(wires.calls < 102_100, wires.calls + " chains looked at");
    }
}

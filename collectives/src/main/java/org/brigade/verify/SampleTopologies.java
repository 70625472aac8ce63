package org.brigade.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import mpi.spi.Neighbourhood;
import org.brigade.pattern.Neighbourhoods;

/**
 * Topologies on which collectives among neighbours are verified: all grids of up to three dimensions, periodic or not;
 * and random graphs with repeated edges, edges of a rank to itself and to nobody, and ranks without edges.
 */
final class SampleTopologies {
    private static final int GRAPHS = 24;
    private static final int NOBODY = -2;

    private record Topology(String words, Neighbourhood... edges) implements Neighbourhoods {
        @Override
        public Neighbourhood of(int rank) {
            return edges[rank];
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private SampleTopologies() {
    }

    static List<Neighbourhoods> of(int ranks) {
        List<Neighbourhoods> all = new ArrayList<>();
        for (int x = 1; x <= ranks; x++) {
            for (int y = 1; x * y <= ranks; y++) {
                int z = ranks / (x * y);
                if (x * y * z == ranks) {
                    for (int periods = 0; periods < 8; periods++) {
                        all.add(grid(ranks, new int[] {x, y, z}, periods));
                    }
                }
            }
        }
        all.add(grid(ranks, new int[] {ranks}, 1));
        for (int seed = 0; seed < GRAPHS; seed++) {
            all.add(graph(ranks, seed));
        }
        return all;
    }

    /** The last dimension varies fastest. Bit i of {@code periods}: dimension i is periodic. */
    private static Topology grid(int ranks, int[] dims, int periods) {
        Neighbourhood[] edges = new Neighbourhood[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            int[] neighbours = new int[2 * dims.length];
            int stride = 1;
            for (int dim = dims.length - 1; dim >= 0; dim--) {
                int at = rank / stride % dims[dim];
                for (int up = 0; up < 2; up++) {
                    int to = at + 2 * up - 1;
                    neighbours[2 * dim + up] = (periods >> dim & 1) == 0 && (to < 0 || to == dims[dim]) ? NOBODY
                        : rank + (Math.floorMod(to, dims[dim]) - at) * stride;
                }
                stride *= dims[dim];
            }
            edges[rank] = Neighbourhood.ofGrid(neighbours);
        }
        return new Topology("grid of " + Arrays.toString(dims) + ", periods " + Integer.toBinaryString(periods), edges);
    }

    /** Every third graph is full of edges, every third has few, and some ranks have none. */
    private static Topology graph(int ranks, int seed) {
        Random random = new Random(31L * seed + ranks);
        int[][] sources = new int[ranks][0];
        int[][] destinations = new int[ranks][0];
        boolean[] alone = new boolean[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            alone[rank] = random.nextInt(6) == 0;
        }
        int count = new int[] {ranks / 2, 3 * ranks, ranks * ranks + 2}[seed % 3];
        for (int i = 0; i < count; i++) {
            int from = random.nextInt(ranks);
            int to = random.nextInt(3) == 0 ? (from + random.nextInt(2)) % ranks : random.nextInt(ranks);
            if (!alone[from] && !alone[to]) {
                int nobody = random.nextInt(12);
                add(destinations, from, nobody == 0 ? NOBODY : to, random);
                if (nobody != 0) {
                    add(sources, to, from, random);
                } else {
                    add(sources, to, NOBODY, random);
                }
            }
        }
        Neighbourhood[] edges = new Neighbourhood[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            edges[rank] = Neighbourhood.inOrder(sources[rank], destinations[rank]);
        }
        return new Topology("random graph " + seed, edges);
    }

    /** Adds a neighbour at any place of a rank's list. */
    private static void add(int[][] lists, int rank, int neighbour, Random random) {
        int[] longer = Arrays.copyOf(lists[rank], lists[rank].length + 1);
        int at = random.nextInt(longer.length);
        System.arraycopy(lists[rank], at, longer, at + 1, lists[rank].length - at);
        longer[at] = neighbour;
        lists[rank] = longer;
    }
}

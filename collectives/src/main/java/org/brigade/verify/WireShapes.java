package org.brigade.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.ChainBandwidth;
import org.brigade.pattern.ChainSearch;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.pattern.Order;

/**
 * The kinds of wires for verification: orders of all sorts, and levels that are regular, ragged, of single ranks, of
 * interleaved ranks, and nested.
 */
final class WireShapes {
    /** Beyond, searching chains would take longer than verifying them, and they are orders like others. */
    private static final int MOST_SEARCHED = 6;
    /** Beyond, few kinds: such schedules are large. */
    private static final int FEW = 9;

    private WireShapes() {
    }

    /** The wires that make a difference to an algorithm of this use; the first is none. */
    static List<CommunicatorTopology> of(WireUse use, int ranks) {
        List<CommunicatorTopology> shapes = new ArrayList<>();
        shapes.add(CommunicatorTopology.NONE);
        if (use == WireUse.NONE || ranks < (use == WireUse.NETWORK ? 2 : 3)) {
            return shapes;
        }
        if (use == WireUse.NETWORK) {
            for (IntUnaryOperator nodes : new IntUnaryOperator[] {rank -> 0, rank -> rank / 2, rank -> rank / 4,
                rank -> rank % 2, rank -> rank % 3, WireShapes::ragged}) {
                int[] nodeOf = new int[ranks];
                Arrays.setAll(nodeOf, nodes);
                shapes.add(CommunicatorTopology.NONE.reducing(nodeOf, 1));
                shapes.add(CommunicatorTopology.NONE.reducing(nodeOf, 2));
            }
            int[] four = new int[ranks];
            Arrays.setAll(four, rank -> rank / 4);
            for (int rails : new int[] {1, 3, 4}) {
                shapes.add(new CommunicatorTopology(shuffled(ranks), Levels.NONE, null).reducing(four, rails));
            }
            return shapes;
        }
        shapes.add(new CommunicatorTopology(shuffled(ranks), Levels.NONE, null));
        boolean levels = use == WireUse.LEVELS || use == WireUse.NODES;
        if (!levels) {
            shapes.add(new CommunicatorTopology(reversed(ranks), Levels.NONE, null));
        }
        if (use == WireUse.CHAINS && ranks <= MOST_SEARCHED) {
            shapes.add(new CommunicatorTopology(null, Levels.NONE,
                new ChainSearch(uneven(), Order.identity(ranks), Levels.NONE)));
        }
        if (levels) {
            shapes.add(new CommunicatorTopology(null, levels(ranks, rank -> rank / 4), null));
            shapes.add(new CommunicatorTopology(null, levels(ranks, rank -> rank % 3), null));
            shapes.add(new CommunicatorTopology(reversed(ranks),
                levels(ranks, rank -> ragged(rank), rank -> ragged(rank) / 2), null));
            shapes.add(
                new CommunicatorTopology(shuffled(ranks), levels(ranks, rank -> rank % 4, rank -> rank % 2), null));
            if (ranks <= FEW) {
                shapes.add(new CommunicatorTopology(null, levels(ranks, rank -> rank / 2), null));
                shapes.add(new CommunicatorTopology(null, levels(ranks, rank -> rank), null));
                shapes.add(new CommunicatorTopology(null, levels(ranks, rank -> 0), null));
                shapes.add(new CommunicatorTopology(null,
                    levels(ranks, rank -> rank / 2, rank -> rank / 4, rank -> rank / 4), null));
                shapes.add(new CommunicatorTopology(shuffled(ranks), levels(ranks, rank -> ragged(rank)), null));
            }
        }
        return shapes;
    }

    /** 0, 1 1, 2 2 2, 3 3 3 3, and so on: groups of one rank, two, three. */
    private static int ragged(int rank) {
        int group = 0;
        for (int last = 0; last < rank; last += group + 1) {
            group++;
        }
        return group;
    }

    static Levels levels(int ranks, IntUnaryOperator... groups) {
        int[][] groupOf = new int[groups.length][ranks];
        for (int level = 0; level < groups.length; level++) {
            for (int rank = 0; rank < ranks; rank++) {
                groupOf[level][rank] = groups[level].applyAsInt(rank);
            }
        }
        return new Levels(groupOf);
    }

    private static Order reversed(int ranks) {
        int[] order = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            order[i] = ranks - 1 - i;
        }
        return Order.of(order);
    }

    private static Order shuffled(int ranks) {
        Random random = new Random(ranks);
        int[] order = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return Order.of(order);
    }

    /** Every transfer has a rate of its own, whatever else is under way. */
    private static ChainBandwidth uneven() {
        return (ranks, from, to) -> {
            double least = Double.POSITIVE_INFINITY;
            for (int i = from; i + 1 < to; i++) {
                least = Math.min(least, 1 + (7 * ranks[i] + 13 * ranks[i + 1]) % 11);
            }
            return least;
        };
    }
}

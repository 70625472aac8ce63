package org.brigade.bootstrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Which ranks can have a processor to themselves. */
class CoreShareTest {
    private static final int PROCESSORS = 130;

    @Property(tries = 500)
    void exactlyThoseRanksCompeteThatSomeBestAssignmentLeavesOut(@ForAll @IntRange(min = 1, max = 12) int ranks,
        @ForAll @IntRange(min = 1, max = 10) int processors, @ForAll long seed) {
        Random random = new Random(seed);
        long[][] masks = new long[ranks][];
        for (int rank = 0; rank < ranks; rank++) {
            masks[rank] = mask(1 + random.nextInt(processors), processors, random);
        }
        boolean[] expected = new boolean[ranks];
        int most = assigned(masks, -1);
        for (int rank = 0; rank < ranks; rank++) {
            expected[rank] = assigned(masks, rank) == most;
        }
        assertArrayEquals(expected, compete(masks), Arrays.deepToString(masks));
    }

    @Property(tries = 200)
    void ranksWithProcessorsOfTheirOwnNeverCompete(@ForAll @IntRange(min = 1, max = 60) int ranks,
        @ForAll @IntRange(min = 1, max = 2) int each) {
        long[][] masks = new long[ranks][];
        for (int rank = 0; rank < ranks; rank++) {
            masks[rank] = between(rank * each, rank * each + each);
        }
        assertArrayEquals(new boolean[ranks], compete(masks));
    }

    @Property(tries = 200)
    void ranksThatMayRunOnTheSameCompeteWhereThereAreMoreOfThem(@ForAll @IntRange(min = 1, max = 70) int ranks,
        @ForAll @IntRange(min = 1, max = 70) int processors) {
        long[][] masks = new long[ranks][];
        Arrays.fill(masks, between(0, processors));
        boolean[] expected = new boolean[ranks];
        Arrays.fill(expected, ranks > processors);
        assertArrayEquals(expected, compete(masks));
    }

    @Test
    void ofNestedMasksOnlyTheInnerOnesCompete() {
        assertArrayEquals(new boolean[] {true, true, false, false}, compete(between(0, 1), between(0, 1), between(0,
            8), between(0, 8)));
        assertArrayEquals(new boolean[] {true, true, true}, compete(between(0, 1), between(0, 2), between(0, 2)));
    }

    @Test
    void ofOverlappingMasksAChainCompetesWhereOneIsMissing() {
        assertArrayEquals(new boolean[] {false, false}, compete(between(0, 2), between(1, 3)));
        assertArrayEquals(new boolean[] {true, true, true, true, false}, compete(between(0, 2), between(1, 3),
            between(0, 3), between(2, 3), between(2, 5)));
    }

    @Test
    void anUnboundRankBesideBoundOnesHasWhatTheyLeave() {
        assertArrayEquals(new boolean[] {false, false}, compete(between(0, 1), between(0, 2)));
        assertArrayEquals(new boolean[] {false, false}, compete(between(0, 2), between(0, 1)),
            "the order does not count");
    }

    @Test
    void aQuotaCountsForTheRanksOfItsControlGroup() {
        Processors[] bound = {Processors.of(between(0, 1), 1), Processors.of(between(1, 2), 1)};
        assertEquals("own, one processor", CoreShare.of(bound, 1, 1).toString());
        assertEquals("shared, one processor", CoreShare.of(bound, 1, 2).toString());
    }

    @Test
    void aRankOfWhichNothingIsKnownLeavesOnlyTheNumberOfRanks() {
        int here = Runtime.getRuntime().availableProcessors();
        Processors[] unknown = new Processors[here + 1];
        Arrays.fill(unknown, Processors.of(between(0, 1), 0));
        unknown[here] = Processors.UNKNOWN;
        assertEquals("shared", CoreShare.of(unknown, 0, here + 1).toString());
        assertEquals("own", CoreShare.of(new Processors[] {Processors.UNKNOWN}, 0, 1).toString());
    }

    private static boolean[] compete(long[]... masks) {
        Processors[] all = new Processors[masks.length];
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] = Processors.of(masks[rank], 0);
        }
        return CoreShare.compete(all);
    }

    /** How many ranks can have a processor each, one of them left aside; tried in the plainest way. */
    private static int assigned(long[][] masks, int aside) {
        int[] holder = new int[PROCESSORS];
        Arrays.fill(holder, -1);
        int count = 0;
        for (int rank = 0; rank < masks.length; rank++) {
            count += rank != aside && assign(masks, rank, holder, new boolean[PROCESSORS]) ? 1 : 0;
        }
        return count;
    }

    private static boolean assign(long[][] masks, int rank, int[] holder, boolean[] tried) {
        for (int p = 0; p < masks[rank].length * 64; p++) {
            if ((masks[rank][p / 64] >>> p % 64 & 1) != 0 && !tried[p]) {
                tried[p] = true;
                if (holder[p] < 0 || assign(masks, holder[p], holder, tried)) {
                    holder[p] = rank;
                    return true;
                }
            }
        }
        return false;
    }

    private static long[] mask(int count, int processors, Random random) {
        long[] mask = new long[2];
        for (int i = 0; i < count; i++) {
            int processor = random.nextInt(processors) * (PROCESSORS - 3) / 10; // on both sides of a word's end
            mask[processor / 64] |= 1L << processor % 64;
        }
        return mask;
    }

    private static long[] between(int from, int to) {
        long[] mask = new long[Processors.MASK_WORDS];
        for (int i = from; i < to; i++) {
            mask[i / 64] |= 1L << i % 64;
        }
        return mask;
    }
}

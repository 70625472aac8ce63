package org.brigade.bootstrap;

import static org.brigade.bootstrap.CoreShare.OWN;
import static org.brigade.bootstrap.CoreShare.SHARED;
import static org.brigade.bootstrap.CoreShare.SPARE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Which ranks can have a processor to themselves, and which also have one for their JVM's other threads. */
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

    /** All jobs of up to three ranks on up to four processors: the rule as {@link CoreShare} states it, plainly. */
    @Test
    void theShareOfEachRankFollowsFromTheMasksOfAll() {
        for (int ranks = 1; ranks <= 3; ranks++) {
            int[] bits = new int[ranks];
            Arrays.fill(bits, 1);
            do {
                long[][] masks = new long[ranks][];
                long[][] twice = new long[2 * ranks][];
                for (int rank = 0; rank < ranks; rank++) {
                    masks[rank] = twice[rank] = twice[ranks + rank] = new long[] {bits[rank]};
                }
                for (int rank = 0; rank < ranks; rank++) {
                    CoreShare expected = assigned(masks, rank) == assigned(masks, -1) ? SHARED
                        : assigned(twice, rank) == assigned(twice, -1) ? OWN : SPARE;
                    assertEquals(expected, CoreShare.of(known(0, masks), rank, ranks), Arrays.toString(bits));
                }
            } while (next(bits));
        }
    }

    private static boolean next(int[] bits) {
        for (int i = 0; i < bits.length; i++) {
            bits[i] = bits[i] % 15 + 1;
            if (bits[i] > 1) {
                return true;
            }
        }
        return false;
    }

    @Test
    void unboundRanksShareProcessorsIfThereAreMoreRanks() {
        assertShares("the second processor is the JVM's", between(0, 2), SPARE);
        assertShares("", between(0, 2), OWN, OWN);
        assertShares("", between(0, 2), SHARED, SHARED, SHARED);
        assertShares("", between(0, 4), SPARE, SPARE);
        assertShares("one processor for three JVMs' threads", between(0, 4), OWN, OWN, OWN);
        assertShares("a cpuset counts like a machine of that size", between(5, 7), OWN, OWN);
    }

    @Test
    void aRankThatIsBoundToACoreOfItsOwnSharesItWithItsJvm() {
        assertEquals(List.of(OWN, OWN), shares(0, between(0, 1), between(1, 2)));
        assertEquals(List.of(SPARE, SPARE), shares(0, between(0, 2), between(2, 4)), "PE=2");
        assertEquals(List.of(SHARED, SHARED), shares(0, between(1, 2), between(1, 2)), "both are bound to one core");
        assertEquals(List.of(OWN, SPARE), shares(0, between(0, 1), between(0, 4)), "the second is not bound");
        assertEquals(List.of(OWN, OWN), shares(0, between(0, 1), between(0, 2)), "nor is this second one");
    }

    /** Core 0 is processors 0 and 2, core 1 is 1 and 3, as Linux numbers them. */
    @Test
    void aHardwareThreadIsAProcessor() {
        long[] core0 = {0b0101};
        long[] core1 = {0b1010};
        assertEquals(List.of(SPARE, SPARE), shares(0, core0, core1));
        assertEquals(List.of(OWN, OWN, SPARE), shares(0, core0, core0, core1));
        assertEquals(List.of(OWN, OWN), shares(0, between(0, 1), between(2, 3)));
    }

    @Test
    void aQuotaCountsForTheRanksOfItsControlGroup() {
        Processors[] bound = known(2, between(0, 2), between(2, 4));
        assertEquals(SPARE, CoreShare.of(bound, 1, 1));
        assertEquals(OWN, CoreShare.of(bound, 1, 2), "no processor time is left for the JVMs' threads");
        assertEquals(SHARED, CoreShare.of(bound, 1, 3));
        assertEquals(OWN, CoreShare.of(known(3, between(0, 8), between(0, 8)), 0, 2));
    }

    @Test
    void aRankOfWhichNothingIsKnownLeavesOnlyTheNumberOfRanks() {
        int here = Runtime.getRuntime().availableProcessors();
        Processors[] unknown = new Processors[here + 1];
        Arrays.fill(unknown, Processors.of(between(0, 1), 0));
        unknown[here] = Processors.UNKNOWN;
        assertEquals(SHARED, CoreShare.of(unknown, 0, here + 1));
        assertEquals(here > 1 ? SPARE : OWN, CoreShare.of(new Processors[] {Processors.UNKNOWN}, 0, 1));
        assertEquals(OWN, CoreShare.ofThreads(here));
    }

    @Test
    void ranksWithOneMaskHaveItsProcessorsInTurn() {
        assertEquals(List.of(5, 6), homes(between(5, 7), between(5, 7)));
        assertEquals(List.of(62, 63, 64), homes(between(62, 70), between(62, 70), between(62, 70)));
        assertEquals(List.of(-1, -1, -1), homes(between(0, 2), between(0, 2), between(0, 2)), "too few");
        assertEquals(List.of(-1, -1), homes(between(0, 1), between(1, 2)), "the launcher has placed them");
        assertEquals(List.of(-1, -1), homes(new long[0], new long[0]), "nothing is known");
    }

    private static List<Integer> homes(long[]... masks) {
        List<Integer> homes = new ArrayList<>();
        for (int rank = 0; rank < masks.length; rank++) {
            homes.add(CoreShare.home(known(0, masks), rank));
        }
        return homes;
    }

    @Test
    void ofSeveralJobsTheSmallestShareCounts() {
        assertEquals(SHARED, SPARE.least(SHARED));
        assertEquals(OWN, OWN.least(SPARE));
    }

    private static void assertShares(String why, long[] all, CoreShare... expected) {
        long[][] masks = new long[expected.length][];
        Arrays.fill(masks, all);
        assertEquals(List.of(expected), shares(0, masks), why);
    }

    private static List<CoreShare> shares(int quota, long[]... masks) {
        List<CoreShare> shares = new ArrayList<>();
        for (int rank = 0; rank < masks.length; rank++) {
            shares.add(CoreShare.of(known(quota, masks), rank, masks.length));
        }
        return shares;
    }

    private static Processors[] known(int quota, long[]... masks) {
        Processors[] all = new Processors[masks.length];
        for (int rank = 0; rank < all.length; rank++) {
            all[rank] = Processors.of(masks[rank], quota);
        }
        return all;
    }

    private static boolean[] compete(long[]... masks) {
        boolean[] compete = new boolean[masks.length];
        for (int rank = 0; rank < masks.length; rank++) {
            compete[rank] = CoreShare.compete(known(0, masks), rank);
        }
        return compete;
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

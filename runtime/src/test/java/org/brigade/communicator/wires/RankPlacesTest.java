package org.brigade.communicator.wires;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.brigade.pattern.Levels;
import org.brigade.topology.Place;
import org.junit.jupiter.api.Test;

class RankPlacesTest {
    private static RankPlaces places(Place... places) {
        long[] words = new long[places.length];
        for (int rank = 0; rank < words.length; rank++) {
            words[rank] = RankPlaces.word("host".hashCode(), places[rank]);
        }
        return new RankPlaces(words);
    }

    private static Levels levels(int[]... groups) {
        return new Levels(groups);
    }

    @Test
    void ranksOfOneCacheAndOneNumaNodeAreGroups() {
        RankPlaces places =
            places(new Place(0, 0, 0), new Place(1, 8, 8), new Place(0, 4, 4), new Place(1, 8, 9), new Place(0, 0, 1));
        assertEquals(levels(new int[] {0, 1, 2, 1, 0}, new int[] {0, 1, 0, 1, 0}), places.levels());
        assertArrayEquals(new int[] {0, 8, 4, 9, 1}, places.processors());
    }

    @Test
    void aLevelThatSomeRankDoesNotKnowIsLeftOut() {
        assertEquals(levels(new int[] {0, 0, 1}),
            places(new Place(0, 0, 0), new Place(0, -1, -1), new Place(1, 8, 8)).levels());
        assertEquals(Levels.NONE, places(Place.ANYWHERE, new Place(1, 8, 8), new Place(0, 0, 0)).levels());
        assertEquals(-1, places(Place.ANYWHERE).processors()[0]);
    }

    @Test
    void levelsThatDivideNothingOrSayTheSameAreLeftOut() {
        assertEquals(Levels.NONE, places(new Place(0, 0, 0), new Place(0, 0, 1), new Place(0, 0, 2)).levels());
        assertEquals(Levels.NONE, places(new Place(0, 0, 0), new Place(1, 8, 8), new Place(2, 16, 16)).levels(),
            "every rank alone");
        assertEquals(levels(new int[] {0, 0, 1}),
            places(new Place(0, 0, 0), new Place(0, 0, 1), new Place(1, 8, 8)).levels(), "caches are NUMA nodes");
    }

    @Test
    void whereCachesReachOverNumaNodesTheNumaNodesCount() {
        assertEquals(levels(new int[] {0, 1, 0, 1}),
            places(new Place(0, 0, 0), new Place(1, 0, 1), new Place(0, 2, 2), new Place(1, 2, 3)).levels());
    }

    @Test
    void hostsAreTheOutermostLevelAndNumaNodesOfDifferentHostsDiffer() {
        long[] words = {RankPlaces.word("a".hashCode(), new Place(0, 0, 0)),
            RankPlaces.word("b".hashCode(), new Place(0, 0, 0)), RankPlaces.word("a".hashCode(), new Place(1, 8, 8)),
            RankPlaces.word("b".hashCode(), new Place(1, 8, 8)), RankPlaces.word("a".hashCode(), new Place(0, 0, 1)),
            RankPlaces.word("b".hashCode(), new Place(1, 8, 9))};
        assertEquals(levels(new int[] {0, 1, 2, 3, 0, 3}, new int[] {0, 1, 0, 1, 0, 1}),
            new RankPlaces(words).levels());
    }

    private static boolean mayDivide(Place... places) {
        long[] greatest = new long[RankPlaces.SUMMARY_WORDS];
        Arrays.fill(greatest, Long.MIN_VALUE);
        for (Place place : places) {
            long[] words = new long[greatest.length];
            RankPlaces.summary(RankPlaces.word(0, place), words, 0);
            for (int i = 0; i < words.length; i++) {
                greatest[i] = Math.max(greatest[i], words[i]);
            }
        }
        return RankPlaces.mayDivide(greatest, 0);
    }

    @Test
    void placesNeedNotBeToldWhereTheyAreAlikeOrSomeRankDoesNotKnowIts() {
        assertFalse(mayDivide(Place.ANYWHERE, Place.ANYWHERE, Place.ANYWHERE), "bound to nothing");
        assertFalse(mayDivide(new Place(0, 0, 0), new Place(0, 0, 1), new Place(0, 0, 2)), "all in one cache");
        assertFalse(mayDivide(new Place(0, 0, 0), Place.ANYWHERE, new Place(1, 8, 8)), "one does not know");
        assertTrue(mayDivide(new Place(0, -1, 0), new Place(1, -1, 1), new Place(0, -1, 2)), "two NUMA nodes");
        assertTrue(mayDivide(new Place(-1, 0, 0), new Place(-1, 4, 4), new Place(-1, 0, 1)), "two caches");
    }

    @Test
    void aHundredThousandRanksAreDivided() {
        Place[] places = new Place[100_000];
        for (int rank = 0; rank < places.length; rank++) {
            places[rank] = new Place(rank % 2000, rank % 4000, -1);
        }
        Levels levels = places(places).levels();
        assertEquals(List.of(4000, 2000), List.of(levels.groups(0), levels.groups(1)));
    }

    @Test
    void numbersTooLargeForTheWordAreUnknownAndLeaveTheRestAlone() {
        assertEquals(RankPlaces.word("h".hashCode(), new Place(3, -1, 5)),
            RankPlaces.word("h".hashCode(), new Place(3, 1 << 20, 5)));
        assertNotEquals(RankPlaces.word("h".hashCode(), new Place(3, -1, 5)),
            RankPlaces.word("h".hashCode(), new Place(2, -1, 5)));
        assertEquals(5,
            new RankPlaces(new long[] {RankPlaces.word("h".hashCode(), new Place(3, 1 << 20, 5))}).processors()[0]);
    }
}

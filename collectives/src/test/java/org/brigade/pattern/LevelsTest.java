package org.brigade.pattern;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LevelsTest {
    private static Levels levels(int[]... groups) {
        return new Levels(groups);
    }

    @Test
    void groupsAreNumberedByTheirLowestRanks() {
        assertArrayEquals(new int[] {0, 1, 0, 2, 1}, levels(new int[] {77, -3, 77, 0, -3}).groupOf()[0]);
    }

    @Test
    void aGroupThatIsTornApartFurtherOutIsRefused() {
        String message =
            assertThrows(IllegalArgumentException.class, () -> levels(new int[] {0, 0, 1}, new int[] {0, 1, 1}))
                .getMessage();
        assertTrue(message.startsWith("ranks 0 and 1 share a group at level 0 but not at level 1"), message);
    }

    @Test
    void levelsOfDifferentRanksAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> levels(new int[] {0, 0}, new int[] {0}));
    }

    @Test
    void levelsOfAllTogetherOrAllAloneDivideNothing() {
        assertFalse(Levels.NONE.divide());
        assertFalse(levels(new int[] {0, 0, 0}).divide());
        assertFalse(levels(new int[] {0, 1, 2}, new int[] {0, 0, 0}).divide());
        assertTrue(levels(new int[] {0, 1, 1}).divide());
    }

    @Test
    void someOfTheRanksKeepTheirGroups() {
        Levels all = levels(new int[] {0, 0, 1, 1, 2, 2}, new int[] {0, 0, 0, 0, 1, 1});
        assertEquals(levels(new int[] {0, 1, 1, 2}, new int[] {0, 1, 1, 1}), all.of(new int[] {5, 2, 3, 0}));
    }

    @Test
    void whatTheCallerChangesLaterChangesNothing() {
        int[][] groups = {{0, 0, 1}};
        Levels levels = new Levels(groups);
        groups[0][0] = 9;
        assertEquals(0, levels.group(0, 0));
    }

    @Test
    void levelsThatSayNothingAreLeftOut() {
        int[] pairs = {4, 4, 7, 7};
        assertEquals(new Levels(new int[][] {{0, 0, 1, 1}}),
            Levels.dividing(new int[] {3, 1, 2, 0}, pairs, new int[] {5, 5, 6, 6}, new int[] {1, 1, 1, 1}));
        assertEquals(Levels.NONE, Levels.dividing(new int[] {0, 1, 2, 3}));
        assertEquals(Levels.NONE, Levels.dividing());
    }
}

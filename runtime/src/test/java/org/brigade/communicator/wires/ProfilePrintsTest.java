package org.brigade.communicator.wires;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProfilePrintsTest {
    private static final long NAMED = (1L << 32) + 77;
    private static final long FOUND = (2L << 32) + 0xffff_ffffL;

    @Test
    void ranksWithOneProfileAreAlike() {
        for (long print : new long[] {0, NAMED, FOUND, TopologyProfile.UNREADABLE}) {
            ProfilePrints all = ProfilePrints.of(print, print, print);
            assertTrue(all.alike());
            assertEquals(print, all.least());
            assertEquals(print, all.most());
        }
    }

    @Test
    void whereProfilesDifferEachRankIsToldOfOneThatHasAnother() {
        ProfilePrints all = ProfilePrints.of(NAMED, NAMED, TopologyProfile.UNREADABLE, NAMED, FOUND, FOUND);
        assertFalse(all.alike());
        assertEquals(2, all.otherThan(NAMED));
        assertEquals(TopologyProfile.UNREADABLE, all.ofOtherThan(NAMED));
        assertEquals(5, all.otherThan(TopologyProfile.UNREADABLE));
        assertEquals(FOUND, all.ofOtherThan(TopologyProfile.UNREADABLE));
    }

    @Test
    void onlyProfilesThatWereFoundOrNoneMayDiffer() {
        assertTrue(ProfilePrints.of(FOUND, 0, FOUND - 1).found());
        assertFalse(ProfilePrints.of(FOUND, NAMED).found());
        assertFalse(ProfilePrints.of(0, TopologyProfile.UNREADABLE).found());
    }
}

package org.brigade.pattern;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OrderTest {
    private static final Order SOME = Order.of(new int[] {2, 0, 3, 1});

    @Test
    void positionsAndRanksAreEachOthersInverse() {
        for (int rank = 0; rank < 4; rank++) {
            assertEquals(rank, SOME.rank(SOME.position(rank)));
        }
        assertArrayEquals(new int[] {2, 0, 3, 1}, SOME.toArray());
    }

    @Test
    void rankOrderIsTheSameHoweverItIsMade() {
        assertEquals(Order.identity(3), Order.of(new int[] {0, 1, 2}));
        assertTrue(Order.of(new int[] {0, 1, 2}).isIdentity());
    }

    @Test
    void anOrderThatIsNoneNamesTheRank() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Order.of(new int[] {0, 2, 2})).getMessage()
            .startsWith("rank 2 at position 2 of an order of 3 ranks appears twice"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Order.of(new int[] {0, 3, 1})).getMessage()
            .startsWith("rank 3 at position 1 of an order of 3 ranks does not exist"));
    }

    @Test
    void ringsAndChainsGoAlongIt() {
        Ring ring = new Ring(SOME);
        assertEquals(0, ring.next(2));
        assertEquals(2, ring.next(1));
        assertEquals(1, ring.previous(2));
        Chain chain = new Chain(SOME, 3);
        assertEquals(Chain.NOBODY, chain.before(3));
        assertEquals(1, chain.after(3));
        assertEquals(2, chain.after(1));
        assertEquals(0, chain.after(2));
        assertEquals(Chain.NOBODY, chain.after(0));
    }
}

package org.brigade.engine.fused;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.IntUnaryOperator;
import org.brigade.engine.node.HostAccess;
import org.junit.jupiter.api.Test;

/** Which way stores into a shared buffer go, by what calls take. */
class StoreWaysTest {
    private static final int BYTES = 64 << 10;

    /** Calls that take so long by the caches and past them, by the call's number; how many of them went past. */
    private static int past(StoreWays ways, int calls, IntUnaryOperator near, IntUnaryOperator past) {
        int went = 0;
        for (int call = 0; call < calls; call++) {
            boolean way = ways.next(BYTES, ways.vote(BYTES) == 1);
            went += way ? 1 : 0;
            ways.took(BYTES, way, way ? past.applyAsInt(call) : near.applyAsInt(call));
        }
        return went;
    }

    @Test
    void theFasterWayIsTakenAndTheOtherTriedNowAndThen() {
        int went = past(new StoreWays("measured", new HostAccess()), 10_000, call -> 300, call -> 200);
        assertTrue(went > 9800 && went < 9900, "past the caches: " + went);
        StoreWays nearer = new StoreWays("measured", new HostAccess());
        went = past(nearer, 10_000, call -> 200, call -> 300);
        assertTrue(went > 100 && went < 200, "past the caches: " + went);
        went = past(new StoreWays("measured", new HostAccess()), 10_000, call -> 200, call -> 3000);
        assertTrue(went > 8 && went < 24, "past the caches, where that is much slower: " + went);
        assertEquals(0, nearer.vote(BYTES));
        assertEquals(0, nearer.vote(1 << 20), "of another size class nothing is known");
    }

    @Test
    void aChangeOfTheMachineIsNoticed() {
        StoreWays ways = new StoreWays("measured", new HostAccess());
        past(ways, 1000, call -> 200, call -> 300);
        past(ways, 1000, call -> 400, call -> 300);
        assertEquals(1, ways.vote(BYTES));
        past(ways, 1000, call -> 200, call -> 300);
        assertEquals(0, ways.vote(BYTES));
    }

    @Test
    void aMemberThatComesLateNowAndThenChangesNothing() {
        StoreWays ways = new StoreWays("measured", new HostAccess());
        int went = past(ways, 10_000, call -> call % 3 == 0 ? 9000 : 200, call -> 300);
        assertTrue(went < 200, "past the caches: " + went);
    }

    @Test
    void mostMembersDecide() {
        StoreWays ways = new StoreWays("measured", new HostAccess());
        past(ways, 70, call -> 200, call -> 300);
        assertTrue(ways.next(BYTES, true));
        assertFalse(ways.next(BYTES, false));
    }

    @Test
    void theSettingDecides() {
        assertEquals(100, past(new StoreWays("always", new HostAccess()), 100, call -> 200, call -> 300));
        assertFalse(new StoreWays("never", new HostAccess()).concerns(BYTES));
        assertFalse(new StoreWays("measured", new HostAccess()).concerns(100));
    }
}

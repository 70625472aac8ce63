package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.bootstrap.CoreShare;
import org.junit.jupiter.api.Test;

/** How a rank waits, by the processors that it has. */
class IdlePolicyTest {
    @Test
    void aRankThatSharesItsProcessorYieldsAtOnceAfterOneLook() {
        IdlePolicy waiting = new IdlePolicy(CoreShare.SHARED, false, -1);
        assertEquals(0, waiting.spins);
        assertEquals(1, waiting.looks(512), "512 looks take as long as a message");
        assertTrue(waiting.toString().endsWith(" other ranks use too: yields at once"), waiting.toString());
    }

    @Test
    void aRankWithAProcessorSpins() {
        for (CoreShare cores : new CoreShare[] {CoreShare.OWN, CoreShare.SPARE}) {
            IdlePolicy waiting = new IdlePolicy(cores, false, -1);
            assertEquals(20_000, waiting.spins);
            assertEquals(512, waiting.looks(512));
            assertEquals(cores == CoreShare.OWN, waiting.lends, "its JVM has no other processor");
            assertEquals(cores == CoreShare.OWN, waiting.toString().endsWith("and yields now and then"));
        }
    }

    @Test
    void betweenNodesEveryRankYieldsSoon() {
        for (CoreShare cores : CoreShare.values()) {
            IdlePolicy waiting = new IdlePolicy(cores, true, -1);
            assertEquals(cores == CoreShare.SHARED ? 0 : 50, waiting.spins);
            assertEquals(4, waiting.looks(512));
            assertFalse(waiting.lends, "it yields anyway");
        }
    }

    /** As by {@code brigade.spins}. */
    @Test
    void theUserDecidesHowOftenARankSpins() {
        for (CoreShare cores : CoreShare.values()) {
            assertEquals(300, new IdlePolicy(cores, false, 300, null).spins);
            assertEquals(37, new IdlePolicy(cores, false, 300, null).looks(512));
            assertEquals(1, new IdlePolicy(cores, false, 0, null).looks(512));
            assertEquals(50, new IdlePolicy(cores, true, 300, null).spins, "the kernel's network needs the processor");
        }
    }

    @Test
    void aWaitEndsEachOfItsPhases() {
        for (CoreShare cores : CoreShare.values()) {
            IdlePolicy waiting = new IdlePolicy(cores, false, 100, null);
            Backoff idle = new Backoff(waiting);
            for (int waits = 0; waits < 3; waits++) {
                int spins = Math.min(100, 50 << waits); // more in each wait
                int turns = 0;
                for (; !idle.isLong(); turns++) {
                    assertFalse(turns < Math.min(spins, 64) && idle.idle(), "it spins");
                    if (turns >= Math.min(spins, 64)) {
                        idle.idle();
                    }
                }
                assertTrue(turns > waiting.yields && turns <= spins + waiting.yields, turns + " turns");
                assertTrue(idle.isLong() && idle.idle(), "it sleeps");
                idle.reset();
            }
        }
    }

    @Test
    void aLongWaitLooksMoreAndMoreSeldom() {
        IdlePolicy waiting = new IdlePolicy(CoreShare.SPARE, false, 20_000, null);
        Backoff idle = new Backoff(waiting);
        for (int waits = 0; waits < 10; waits++) { // the spins double with every wait
            idle.reset();
        }
        int turns = 0;
        for (; !idle.isLong(); turns++) {
            idle.idle();
        }
        assertTrue(turns - waiting.yields < 900, turns - waiting.yields + " turns of 20,000 that do not yield");
    }

    /** {@link IdlePolicy#tests} is in nanoseconds. */
    @Test
    void testsInVainYieldSoonWhereTheProcessorIsShared() {
        IdlePolicy shared = new IdlePolicy(CoreShare.SHARED, false, -1);
        assertEquals(0, shared.quickTests);
        assertTrue(shared.tests <= 1000 && shared.looksAtClock);
        for (CoreShare cores : new CoreShare[] {CoreShare.OWN, CoreShare.SPARE}) {
            IdlePolicy own = new IdlePolicy(cores, false, -1);
            assertEquals(64, own.quickTests);
            assertTrue(own.tests >= 100_000);
            assertFalse(own.looksAtClock, "a look at the clock takes as long as a test");
            IdlePolicy between = new IdlePolicy(cores, true, -1);
            assertTrue(between.tests <= 10_000 && between.looksAtClock, "the kernel needs the processor");
        }
        assertEquals(shared.tests, new IdlePolicy(CoreShare.SPARE, false, 0, null).tests, "brigade.spins=0");
    }
}

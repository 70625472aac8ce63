package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Nodes;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.AwaitedWord;
import org.brigade.nativ.CompiledLooks;
import org.brigade.transport.Endpoint;
import org.brigade.waiting.Wait;
import org.brigade.waiting.Waiter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a rank waits, by the processors that it has. */
@Isolated // switches compiled code off
class IdlePolicyTest {
    @AfterEach
    void compiledAgain() {
        CompiledLooks.asLoaded();
    }

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

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWaitSpinsThenYieldsAndSleepsOnlyWhenItIsMillisecondsOld(boolean compiled) {
        CompiledLooks.use(compiled);
        for (CoreShare cores : CoreShare.values()) {
            IdlePolicy waiting = new IdlePolicy(cores, false, 100, null);
            Backoff idle = new Backoff(waiting);
            for (int waits = 0; waits < 3; waits++) {
                int spins = Math.min(64, 50 << waits); // more in each wait
                for (int turns = 0; turns < spins; turns++) {
                    assertFalse(idle.idle(), "it spins");
                }
                long yields = System.nanoTime();
                while (!idle.isLong()) {
                    idle.idle();
                }
                assertTrue(System.nanoTime() - yields >= waiting.awake, "it sleeps too early");
                assertTrue(idle.idle(), "it sleeps");
                idle.reset();
                assertFalse(idle.isLong(), "the wait before makes this one no longer");
            }
        }
    }

    /** Else the ranks that wait for this one would be late, and sleep as well. */
    @Test
    void aSleepProlongsAWaitByASmallPart() {
        for (CoreShare cores : CoreShare.values()) {
            long awake = new IdlePolicy(cores, false, -1).awake;
            long last = 0;
            for (long waited = awake; waited < 1_000_000_000; waited += waited / 7) {
                long sleep = IdlePolicy.sleep(waited);
                assertTrue(sleep > 0 && sleep <= waited / 10 && sleep >= last && sleep <= 500_000,
                    waited + " " + sleep);
                last = sleep;
            }
            assertEquals(500_000, last);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLongWaitLooksMoreAndMoreSeldom(boolean compiled) {
        CompiledLooks.use(compiled);
        IdlePolicy waiting = new IdlePolicy(CoreShare.SPARE, false, 20_000, null);
        Backoff idle = new Backoff(waiting);
        for (int waits = 0; waits < 10; waits++) { // the spins double with every wait
            idle.reset();
        }
        int turns = 0;
        for (; !idle.yields(); turns++) {
            idle.idle();
        }
        assertTrue(turns < 900, turns + " turns of 20,000 that do not yield");
    }

    /** So that a JVM does not find the code of its waits to be the most frequent. */
    @Test
    void aWaitForOneWordHasFewTurns() {
        CompiledLooks.use(true);
        Waiter waiter = shows(NativeMemory.allocate(64));
        Backoff idle = new Backoff(new IdlePolicy(CoreShare.SPARE, false, 20_000, null));
        for (int waits = 0; waits < 10; waits++) {
            idle.reset();
        }
        int turns = 0;
        int looks = 0; // at all else
        for (; !idle.yields(); turns++) {
            idle.watch(waiter, true);
            assertTrue(idle.isWatching());
            looks += idle.idle(true) ? 1 : 0;
        }
        assertTrue(turns < 40, turns + " turns until it yields");
        assertTrue(looks > turns / 2, looks + " of them were long");
    }

    @Test
    void onlyAWaitWithinTheNodeForOneWordWatches() {
        Waiter waiter = shows(NativeMemory.allocate(64));
        for (boolean compiled : new boolean[] {true, false}) {
            CompiledLooks.use(compiled);
            Backoff idle = new Backoff(new IdlePolicy(CoreShare.SPARE, false, 20_000, null));
            idle.watch(null, true);
            assertFalse(idle.isWatching());
            idle.watch(wait -> {
            }, true);
            assertFalse(idle.isWatching(), "any message may end it");
            idle.watch(waiter, true);
            assertEquals(compiled, idle.isWatching());
            idle.watch(waiter, false);
            assertFalse(idle.isWatching(), "its JVM has compiled its waits");
            Backoff between = new Backoff(new IdlePolicy(CoreShare.SPARE, true, 20_000, null));
            between.watch(waiter, true);
            assertFalse(between.isWatching(), "the network's messages are elsewhere");
        }
    }

    private static Waiter shows(NativeMemory memory) {
        return new Waiter() {
            @Override
            public void describe(Wait wait) {
                throw new AssertionError("nobody asks");
            }

            @Override
            public void show(AwaitedWord word) {
                word.atLeast(memory.address() + 8, 5);
            }
        };
    }

    /** Messages within its node end no sleep. */
    @Test
    void onlyARankThatIsAloneOnItsNodeSleepsSoon() {
        IdlePolicy shared = new IdlePolicy(CoreShare.SHARED, true, -1);
        assertEquals(20_000, shared.asleepIn(end(new int[] {0, 1})).awake);
        assertEquals(shared.awake, shared.asleepIn(end(new int[] {0, 0})).awake);
    }

    /** @param lowest by rank: the lowest rank of its node */
    private static Endpoint end(int[] lowest) {
        return (Endpoint) Proxy.newProxyInstance(Endpoint.class.getClassLoader(), new Class<?>[] {Endpoint.class},
            (self, method, with) -> method.getName().equals("nodes") ? Nodes.of(0, lowest) : null);
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

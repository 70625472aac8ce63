package org.brigade.waiting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.brigade.nativ.Affinity;
import org.brigade.nativ.BrigadeLibrary;
import org.brigade.nativ.ThreadPlace;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The kernel may move a thread at any time, so a place is tried several times. */
class HomeProcessorTest {
    private static final int TRIES = 1000;

    private final BitSet allowed = Affinity.current();

    @BeforeEach
    void theLibraryIsLoaded() {
        assumeTrue(BrigadeLibrary.LOADED, BrigadeLibrary.STATE);
        assertTrue(ThreadPlace.works());
    }

    @Test
    void aThreadMovesToEachProcessorAndIsNotBoundThere() {
        allowed.stream().forEach(processor -> {
            boolean there = false;
            for (int i = 0; i < TRIES && !there; i++) {
                assertTrue(ThreadPlace.moveTo(processor));
                there = ThreadPlace.processor() == processor;
            }
            assertTrue(there, "processor " + processor);
            assertEquals(allowed, Affinity.current());
        });
    }

    @Test
    void whereItMayNotRunItDoesNotGo() {
        assertFalse(ThreadPlace.moveTo(1023));
        assertFalse(ThreadPlace.moveTo(1024));
        assertFalse(ThreadPlace.moveTo(-1));
        int only = allowed.nextSetBit(0);
        BitSet one = new BitSet();
        one.set(only);
        try {
            Affinity.set(one);
            allowed.stream().filter(processor -> processor != only)
                .forEach(processor -> assertFalse(ThreadPlace.moveTo(processor)));
            assertEquals(one, Affinity.current());
        } finally {
            Affinity.set(allowed);
        }
    }

    @Test
    void aRankGoesHomeAgainAndAgain() {
        assumeTrue(allowed.cardinality() > 1, "one processor");
        int home = allowed.nextSetBit(0);
        int elsewhere = allowed.nextSetBit(home + 1);
        assertNull(HomeProcessor.of(-1));
        HomeProcessor its = HomeProcessor.of(home);
        long now = System.nanoTime();
        int times = 0;
        for (int i = 0; i < TRIES && times < 3; i++) {
            ThreadPlace.moveTo(elsewhere);
            boolean away = ThreadPlace.processor() != home;
            now += 1_000_000_000;
            its.seek(now);
            times += away && ThreadPlace.processor() == home ? 1 : 0;
        }
        assertEquals(3, times);
    }

    /** Both threads are elsewhere nearly every time; the first shows that a thread that may go would have gone. */
    @Test
    void anotherThreadStays() throws InterruptedException {
        assumeTrue(allowed.cardinality() > 1, "one processor");
        HomeProcessor its = HomeProcessor.of(allowed.nextSetBit(0));
        AtomicInteger moved = new AtomicInteger();
        Runnable tries = () -> {
            int elsewhere = allowed.nextSetBit(allowed.nextSetBit(0) + 1);
            for (int i = 0; i < TRIES; i++) {
                ThreadPlace.moveTo(elsewhere);
                moved.addAndGet(its.seek(System.nanoTime() + 1_000_000_000L * (i + 1)) ? 1 : 0);
            }
        };
        Thread other = new Thread(tries);
        other.start();
        other.join();
        assertEquals(0, moved.get());
        tries.run();
        assertTrue(moved.get() > 0, "the rank's own thread has not moved either");
    }
}

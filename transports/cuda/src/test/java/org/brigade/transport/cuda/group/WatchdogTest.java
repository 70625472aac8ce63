package org.brigade.transport.cuda.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The watchdog gives up what is outstanding when a peer is lost, and only then. */
@Timeout(300)
class WatchdogTest {
    private static final class FakeWork implements Watchdog.Work {
        private final CountDownLatch givenUp = new CountDownLatch(1);
        private final AtomicInteger questions = new AtomicInteger();
        private volatile CountDownLatch looks = new CountDownLatch(0);
        private volatile long begun;
        private volatile long ended;
        private volatile String lost;
        private volatile String heard;

        @Override
        public long begun() {
            looks.countDown();
            return begun;
        }

        @Override
        public long ended() {
            return ended;
        }

        @Override
        public String lost() {
            questions.incrementAndGet();
            return lost;
        }

        @Override
        public void giveUp(String why) {
            heard = why;
            givenUp.countDown();
        }

        void awaitLooks(int number) throws InterruptedException {
            CountDownLatch next = new CountDownLatch(number);
            looks = next;
            assertTrue(next.await(150, TimeUnit.SECONDS), "nobody looks");
        }
    }

    private final FakeWork work = new FakeWork();

    @AfterEach
    void forget() {
        Watchdog.forget(work);
    }

    @Test
    void workThatWaitsForALostPeerIsGivenUpWithTheReason() throws Exception {
        Watchdog.watch(work);
        work.begun = 7;
        work.ended = 6;
        work.lost = "rank 1 died";
        assertTrue(work.givenUp.await(150, TimeUnit.SECONDS), "it is not given up");
        assertEquals("rank 1 died", work.heard);
    }

    @Test
    void nobodyAsksForPeersWhileNothingIsOutstanding() throws Exception {
        work.lost = "rank 1 died";
        Watchdog.watch(work);
        work.awaitLooks(5);
        assertEquals(0, work.questions.get());
        assertEquals(1, work.givenUp.getCount());
    }

    @Test
    void workIsNotGivenUpHoweverLongItTakesWhileAllPeersAreThere() throws Exception {
        work.begun = 1;
        Watchdog.watch(work);
        work.awaitLooks(10);
        assertTrue(work.questions.get() > 0, "nobody asks for peers");
        assertEquals(1, work.givenUp.getCount());
    }

    @Test
    void workThatIsForgottenIsNotLookedAtAndTheThreadIsThereForTheNext() throws Exception {
        Watchdog.watch(work);
        work.awaitLooks(1);
        Watchdog.forget(work);
        CountDownLatch after = new CountDownLatch(1);
        work.looks = after;
        Thread.sleep(150);
        assertEquals(1, after.getCount(), "it is looked at");
        Watchdog.watch(work);
        work.awaitLooks(1);
    }
}

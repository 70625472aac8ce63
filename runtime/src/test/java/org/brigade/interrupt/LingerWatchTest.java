package org.brigade.interrupt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LingerWatchTest {
    @Test
    void theThreadsThatKeepAProcessAliveAreNamedWithWhereTheyAre() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(2);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < 2; i++) {
            threads[i] = new Thread(() -> keep(begun, over), "pool-1-thread-" + i);
            threads[i].setDaemon(i == 0);
            threads[i].start();
        }
        threads[2] = new Thread("not begun");
        begun.await();
        try {
            assertEquals("thread \"pool-1-thread-1\" (in org.brigade.interrupt.LingerWatchTest.keep) keeps",
                LingerWatch.keepers(threads));
        } finally {
            over.countDown();
        }
        threads[1].join();
        assertNull(LingerWatch.keepers(threads));
    }

    private static void keep(CountDownLatch begun, CountDownLatch over) {
        begun.countDown();
        try {
            over.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

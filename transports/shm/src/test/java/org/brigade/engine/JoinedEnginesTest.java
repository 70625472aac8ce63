package org.brigade.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.brigade.bootstrap.CoreShare;
import org.brigade.transport.loopback.LoopbackJob;
import org.junit.jupiter.api.Test;

/** Engines of one process that are joined, as its job is to another. */
class JoinedEnginesTest {
    @Test
    void anEngineWaitsAnotherWayOnlyOnceNoCallIsInIt() throws Exception {
        Progress progress = new Progress(LoopbackJob.endpoints(1)[0], CoreShare.SPARE);
        Thread joining = new Thread(() -> progress.besides(new Progress[0], CoreShare.SHARED));
        progress.lock.lock();
        joining.start();
        while (joining.getState() != Thread.State.TIMED_WAITING && joining.isAlive()) {
            Thread.onSpinWait();
        }
        assertEquals(512, progress.looks(512), "a rank with a processor");
        progress.lock.unlock();
        joining.join();
        progress.lock.lock();
        assertEquals(1, progress.looks(512), "a rank that shares its processor");
        progress.lock.unlock();
    }
}

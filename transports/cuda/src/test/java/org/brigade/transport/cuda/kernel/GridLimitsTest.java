package org.brigade.transport.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GridLimitsTest {
    /** Else kernels that wait for each other on several GPUs could keep each other out for ever. */
    @Test
    void aBlockingCallAndACallOfEachQueueFindRoomTogether() {
        for (int blocks = 1; blocks <= 200; blocks++) {
            GridLimits limits = new GridLimits(blocks);
            assertTrue(limits.beside + GridLimits.QUEUES * limits.queue <= blocks, blocks + " multiprocessors");
            assertTrue(limits.beside >= Math.min(blocks, 2) && limits.queue >= 0, blocks + " multiprocessors");
        }
        assertEquals(0, new GridLimits(3).queue, "too small for queues");
        assertEquals(1, new GridLimits(4).queue);
        assertEquals(16, new GridLimits(132).queue);
        assertEquals(100, new GridLimits(132).beside);
    }
}

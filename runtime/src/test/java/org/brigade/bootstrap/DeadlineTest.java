package org.brigade.bootstrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** How ranks wait in Init. */
class DeadlineTest {
    @Test
    void ranksThatShareAProcessorTakeLongerNaps() {
        assertEquals(1_000_000, Deadline.longestNap(64, 64));
        assertEquals(1_000_000, Deadline.longestNap(3, 1));
        assertEquals(16_000_000, Deadline.longestNap(64, 2));
    }

    /** From this a bound rank learns what the ranks have together. */
    @Test
    void theProcessorsOfAnotherProcessAreThoseThatTheMachineHas() {
        assertArrayEquals(Processors.ofThisThread().mask(), Processors.ofProcess(ProcessHandle.current().pid()).mask());
        assertEquals(0, Processors.ofProcess(Long.MAX_VALUE).count(), "there is no such process");
    }
}

package org.brigade.transport.hostmpi.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallingThreadTest {
    @Test
    void whateverACallThrowsIsItsCallersAndTheNextCallIsMade() {
        CallingThread thread = new CallingThread();
        assertThrows(IllegalStateException.class, () -> thread.call(() -> {
            throw new IllegalStateException();
        }));
        assertThrows(UnsatisfiedLinkError.class, () -> thread.call(() -> {
            throw new UnsatisfiedLinkError();
        }));
        assertEquals(4, thread.<Integer>call(() -> 4));
    }
}

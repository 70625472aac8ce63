package org.brigade.transport.cuda.driver;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.brigade.memory.NativeMemory;
import org.junit.jupiter.api.Test;

class StayTest {
    private static final int LEFT = 8;

    private final NativeMemory memory = new NativeMemory(ByteBuffer.allocateDirect(64));

    @Test
    void itLastsUntilThisKernelOrALaterOneHasGone() {
        memory.putLongRelease(LEFT, 6);
        Stay seventh = new Stay(memory, LEFT, 7);
        assertTrue(seventh.lasts());
        memory.putLongRelease(LEFT, 7);
        assertFalse(seventh.lasts());
        Stay eighth = new Stay(memory, LEFT, 8);
        assertTrue(eighth.lasts());
        memory.putLongRelease(LEFT, 9);
        assertFalse(seventh.lasts());
        assertFalse(eighth.lasts());
    }

    @Test
    void itNeverLastsOnceItsWordMayBeFreed() {
        Stay first = new Stay(memory, LEFT, 1);
        first.end();
        assertFalse(first.lasts());
    }
}

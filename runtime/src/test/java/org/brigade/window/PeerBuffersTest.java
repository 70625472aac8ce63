package org.brigade.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import org.brigade.engine.node.MappableBuffers;
import org.junit.jupiter.api.Test;

/** This process stands for the other one. */
class PeerBuffersTest {
    private static final int NUMBER = 3;

    /** Not in memory that ranks share. */
    private static PeerBuffers buffers(ByteBuffer own) {
        return new PeerBuffers(new MappableBuffers(null), null, own);
    }

    @Test
    void aProcessIsTheRightOneOnlyIfItHasTheNumberThatItTold() {
        long[] told = buffers(ByteBuffer.allocateDirect(8)).told();
        assumeTrue(told[0] != 0, "no native code");
        PeerBuffers other = buffers(ByteBuffer.allocateDirect(8));
        for (int again = 0; again < 2; again++) { // the second finds it known
            long[] wrong = told.clone();
            wrong[NUMBER]++;
            assertNull(other.find(wrong, 8));
            PeerMemory found = (PeerMemory) other.find(told, 8);
            assertNotNull(found);
            assertEquals(told[1], found.address);
        }
        assertNull(other.find(buffers(ByteBuffer.allocate(8)).told(), 8), "on the heap");
    }
}

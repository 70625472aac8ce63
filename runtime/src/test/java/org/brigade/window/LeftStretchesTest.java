package org.brigade.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.brigade.transport.NodeMemory;
import org.junit.jupiter.api.Test;

class LeftStretchesTest {
    private static final int[] HERE = {0, 1};

    /** Two ranks see one piece of memory. */
    private static final class OneStretch implements NodeMemory {
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
        private final List<Long> ended = new ArrayList<>();

        @Override
        public long reserve(long length) {
            return 0;
        }

        @Override
        public void fill(long at, long length) {
            // It is full of zeros.
        }

        @Override
        public ByteBuffer map(long at, int length) {
            return bytes.slice((int) at, length).order(ByteOrder.nativeOrder());
        }

        @Override
        public ByteBuffer mapAlone(long at, int length) {
            return map(at, length);
        }

        @Override
        public void release(long at, long length) {
            throw new AssertionError("small memory");
        }

        @Override
        public void end(long at, long length) {
            ended.add(at);
        }

        @Override
        public long free() {
            return 0;
        }

        @Override
        public String place() {
            return "here";
        }
    }

    @Test
    void aStretchServesAnotherWindowWhenAllRanksHaveLeftIt() throws IOException {
        OneStretch memory = new OneStretch();
        LeftStretches left = new LeftStretches();
        NodeStretch first = new NodeStretch(memory, 0, 2, HERE);
        NodeStretch second = new NodeStretch(memory, 1, 2, HERE);
        long at = first.reserve();
        assertTrue(first.map(at, new ControlBlock[2], new ByteBuffer[2]));
        assertTrue(second.map(at, new ControlBlock[2], new ByteBuffer[2]));
        assertTrue(first.leave(), "the rank that has reserved it ends it");
        left.add(first);
        left.endUnused();
        assertEquals(List.of(), memory.ended, "rank 1 still waits in it");
        assertFalse(second.leave());
        left.endUnused();
        assertEquals(List.of(at), memory.ended);
        left.endUnused();
        assertEquals(List.of(at), memory.ended, "ended twice");
    }
}

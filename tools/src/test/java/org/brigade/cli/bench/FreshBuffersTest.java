package org.brigade.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class FreshBuffersTest {
    @Test
    void slotsRotateOverTheWholeRoom() {
        FreshBuffers buffers = new FreshBuffers(1 << 16, 1 << 16, 1 << 20);
        assertEquals(7, buffers.slots(1 << 16, 1 << 16).length, "half of the room for each side, slots a line apart");
        assertEquals((1 << 19) / (4096 + 64), buffers.slots(8, 8).length, "small ones are a page apart");
    }

    @Test
    void thereAreTwoSlotsForTheLongestMessageWhateverTheRoom() {
        assertEquals(2, new FreshBuffers(1 << 20, 2 << 20, 1).slots(1 << 20, 2 << 20).length);
    }

    @Test
    void rewritingChangesOneSlotOnlyAndToOtherFloatsEachTurn() {
        FreshBuffers buffers = new FreshBuffers(64, 64, 1 << 16);
        BenchBuffers[] slots = buffers.slots(64, 64);
        buffers.rewrite(slots[1], 5);
        ByteBuffer before = ByteBuffer.allocate(64).put(0, slots[1].first(), 0, 64);
        ByteBuffer other = ByteBuffer.allocate(64).put(0, slots[0].first(), 0, 64);
        buffers.rewrite(slots[1], 6);
        assertNotEquals(before, slots[1].first());
        assertEquals(other, slots[0].first());
        assertEquals(ByteOrder.nativeOrder(), slots[1].first().order());
        for (int i = 0; i < 16; i++) {
            float value = slots[1].first().getFloat(4 * i);
            assertTrue(value >= 0 && value < 1, "no denormal numbers: " + value);
        }
    }
}

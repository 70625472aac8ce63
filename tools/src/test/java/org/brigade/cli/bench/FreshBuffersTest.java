package org.brigade.cli.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FreshBuffersTest {
    @Test
    void slotsRotateOverTheWholeRoom() {
        FreshBuffers buffers = FreshBuffers.direct(1 << 16, 1 << 16, 1 << 20);
        assertEquals(7, buffers.slots(1 << 16, 1 << 16).length, "half of the room for each side, slots a line apart");
        assertEquals((1 << 19) / (4096 + 64), buffers.slots(8, 8).length, "small ones are a page apart");
    }

    @Test
    void thereAreTwoSlotsForTheLongestMessageWhateverTheRoom() {
        assertEquals(2, FreshBuffers.direct(1 << 20, 2 << 20, 1).slots(1 << 20, 2 << 20).length);
        assertEquals(2, FreshBuffers.arrays(true, 1 << 20, 0, 1).slots(1 << 20, 2 << 20).length);
    }

    @Test
    void rewritingChangesOneSlotOnlyAndToOtherFloatsEachTurn() {
        FreshBuffers buffers = FreshBuffers.direct(64, 64, 1 << 16);
        BenchBuffers[] slots = buffers.slots(64, 64);
        buffers.rewriteSend(slots[1], 5);
        ByteBuffer before = ByteBuffer.allocate(64).put(0, slots[1].first(), 0, 64);
        ByteBuffer other = ByteBuffer.allocate(64).put(0, slots[0].first(), 0, 64);
        buffers.rewriteSend(slots[1], 6);
        assertNotEquals(before, slots[1].first());
        assertEquals(other, slots[0].first());
        assertEquals(ByteOrder.nativeOrder(), slots[1].first().order());
        for (int i = 0; i < 16; i++) {
            float value = slots[1].first().getFloat(4 * i);
            assertTrue(value >= 0 && value < 1, "no denormal numbers: " + value);
        }
    }

    @Test
    void arraysRotateOverAsManySlotsAndAreRewrittenTurnByTurn() {
        for (boolean floats : new boolean[] {false, true}) {
            FreshBuffers buffers = FreshBuffers.arrays(floats, 1 << 16, 0, 1 << 20);
            assertEquals(7, buffers.slots(1 << 16, 1 << 16).length);
            assertEquals((1 << 19) / (4096 + 64), buffers.slots(8, 8).length);
            BenchBuffers[] slots = buffers.slots(64, 64);
            Object before = copy(slots[1].send());
            buffers.rewriteSend(slots[1], 5);
            assertFalse(same(before, slots[1].send()), floats ? "floats" : "bytes");
            before = copy(slots[1].send());
            Object other = copy(slots[0].send());
            buffers.rewriteSend(slots[1], 6);
            assertFalse(same(before, slots[1].send()), floats ? "floats" : "bytes");
            assertTrue(same(other, slots[0].send()));
        }
    }

    private static Object copy(Object array) {
        return array instanceof float[] floats ? floats.clone() : ((byte[]) array).clone();
    }

    private static boolean same(Object one, Object other) {
        return one instanceof float[] floats ? Arrays.equals(floats, (float[]) other)
            : Arrays.equals((byte[]) one, (byte[]) other);
    }

    @Test
    void accessesToAWindowRotateOverItsPlaces() {
        for (FreshBuffers buffers : new FreshBuffers[] {FreshBuffers.direct(64, 64, 1 << 16),
            FreshBuffers.arrays(false, 64, 64, 1 << 16)}) {
            assertEquals((1 << 15) / (4096 + 64), buffers.places(64));
            int last = buffers.place(buffers.places(64) - 1, 64);
            assertTrue(last + 64 <= buffers.target().capacity());
            buffers.rewriteTarget(last, 64, 5);
            byte[] before = new byte[64];
            buffers.target().get(last, before);
            buffers.rewriteTarget(last, 64, 6);
            byte[] after = new byte[64];
            buffers.target().get(last, after);
            assertFalse(Arrays.equals(before, after));
            byte[] beside = new byte[64];
            buffers.target().get(last - 64, beside);
            buffers.rewriteTarget(last, 64, 7);
            byte[] still = new byte[64];
            buffers.target().get(last - 64, still);
            assertArrayEquals(beside, still);
        }
    }
}

package org.brigade.nativ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looks of compiled code at a word. */
class AwaitedWordTest {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(1024).order(ByteOrder.nativeOrder());
    private final AwaitedWord word = new AwaitedWord();
    private long address;

    @BeforeEach
    void load() {
        assumeTrue(BrigadeLibrary.LOADED);
        address = BrigadeLibrary.address(memory);
    }

    /** The three ways to look agree. */
    private void requireThere(boolean there) {
        assertTrue(word.isKnown());
        assertEquals(there, word.look(3));
        assertEquals(there, word.look(0), "the last look comes in any case");
        assertEquals(there, word.spin(3_000));
        assertEquals(there, word.yield(3_000));
    }

    @Test
    void aWordThatMustBeEqualIsThereWhenAllOfItIs() {
        word.equal(address + 8, 0x1_0000_0005L);
        memory.putLong(8, 5);
        requireThere(false);
        memory.putLong(8, 0x1_0000_0005L);
        requireThere(true);
        memory.putLong(8, 0x1_0000_0006L);
        requireThere(false);
        word.equal(address + 8, Long.MIN_VALUE);
        requireThere(false);
        memory.putLong(8, Long.MIN_VALUE);
        requireThere(true);
    }

    @Test
    void theUpperHalfMayBeAnythingIfTheLowerIsAwaited() {
        for (int value : new int[] {1, 0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            word.lowerHalf(address + 16, value);
            for (long upper : new long[] {0, 7, -1}) {
                memory.putLong(16, upper << 32 | value & 0xffff_ffffL);
                requireThere(true);
                memory.putLong(16, upper << 32 | value + 1 & 0xffff_ffffL);
                requireThere(false);
            }
        }
    }

    @Test
    void aWordThatGrowsIsThereOnceItHasComeSoFar() {
        word.atLeast(address + 24, 9);
        for (long value = -1; value < 12; value++) {
            memory.putLong(24, value);
            requireThere(value >= 9);
        }
        memory.putLong(24, Long.MAX_VALUE);
        requireThere(true);
    }

    @Test
    void noWordIsNeverThere() {
        word.equal(address, 0);
        word.readAhead(address + 512);
        requireThere(true);
        word.forget();
        assertFalse(word.isKnown());
        assertFalse(word.look(3));
        assertFalse(word.spin(3_000));
        assertFalse(word.yield(3_000));
        AwaitedWord.pause(3_000);
        AwaitedWord.pause(0);
    }

    /** A look of seconds ends when another thread stores the word; a collection does not wait for it. */
    @Test
    void aLookEndsWhenTheWordComes() throws Exception {
        for (boolean yields : new boolean[] {true, false}) {
            memory.putLong(32, 0);
            word.equal(address + 32, 77);
            boolean[] seen = new boolean[1];
            Thread looks = new Thread(() -> {
                while (!seen[0]) {
                    seen[0] = yields ? word.yield(2_000_000_000) : word.spin(2_000_000_000);
                }
            });
            looks.start();
            System.gc();
            BrigadeLibrary.compareAndSet(address + 32, 0, 77);
            looks.join(60_000);
            assertTrue(seen[0]);
        }
    }
}

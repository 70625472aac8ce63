package org.brigade.nativ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** AtomicWords outside the heap that are compared and set. */
@Isolated // switches compiled code off
class AtomicWordsTest {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());

    @AfterEach
    void compiledAgain() {
        AtomicWords.compiled = BrigadeLibrary.LOADED;
    }

    private static void use(boolean compiled) {
        assumeTrue(!compiled || BrigadeLibrary.LOADED);
        AtomicWords.compiled = compiled;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWordIsSetIfItIsWhatWasExpected(boolean compiled) {
        use(compiled);
        long low = 0x1234_5678_9abc_def0L;
        assertTrue(AtomicWords.compareAndSet(memory, 16, 0, low));
        assertFalse(AtomicWords.compareAndSet(memory, 16, 0, 5));
        assertEquals(low, memory.getLong(16));
        assertTrue(AtomicWords.compareAndSet(memory, 16, low, -1));
        assertEquals(-1, memory.getLong(16));
        assertEquals(0, memory.getLong(8));
        assertEquals(0, memory.getLong(24));
    }

    /** Two processes of a job may load the library at different times. */
    @Test
    void compiledCodeAndTheHandleAgreeOnOneWord() throws Exception {
        assumeTrue(BrigadeLibrary.LOADED);
        int each = 20_000;
        List<Thread> threads = new ArrayList<>();
        for (boolean compiled : new boolean[] {true, false, true, false}) {
            threads.add(new Thread(() -> {
                for (int i = 0; i < each;) {
                    long was = memory.getLong(0);
                    boolean set = compiled ? BrigadeLibrary.compareAndSet(BrigadeLibrary.address(memory), was, was + 1)
                        : AtomicWords.Handle.LONGS.compareAndSet(memory, 0, was, was + 1);
                    i += set ? 1 : 0;
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(4L * each, memory.getLong(0));
    }
}

package org.brigade.nativ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.brigade.memory.NativeMemory;
import org.junit.jupiter.api.Test;

/** What users hear of a missing library; what it computes is tested beside the code in Java. */
class CompiledExchangeTest {
    @Test
    void aCallCountsItselfWhereTheMembersLook() {
        NativeMemory slot = NativeMemory.allocate(1024);
        NativeMemory line = NativeMemory.allocate(8);
        CompiledExchange alone = CompiledExchange.of(new long[] {slot.address()}, 0, 0, 0);
        for (long begun : new long[] {7, 0, 1L << 33}) {
            assertEquals(CompiledExchange.DONE, alone.run(0, begun + 1, 0, CompiledExchange.NOTHING, null, 0, null, 0,
                0, 0, 1, 0, -1, begun));
            assertEquals(0, line.getLong(0), "no place to count is known yet");
        }
        alone.countsAt(line.address());
        long shown = 0;
        for (long begun : new long[] {7, 0, 1L << 33}) {
            alone.run(0, begun + 2, 0, CompiledExchange.NOTHING, null, 0, null, 0, 0, 0, 1, 0, -1, begun);
            shown = begun == 0 ? shown : begun;
            assertEquals(shown, line.getLong(0));
        }
    }

    @Test
    void onlyALibraryThatCannotBeLoadedIsWorthWords() {
        assertNull(CompiledExchange.complaint());
        String words = CompiledExchange.complaint("/tmp/x.so: failed to map segment");
        assertTrue(words.contains("/tmp/x.so: failed to map segment") && words.contains("java.io.tmpdir")
            && words.contains("brigade.native=off"), words);
    }
}

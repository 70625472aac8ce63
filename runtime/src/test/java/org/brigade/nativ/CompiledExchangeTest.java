package org.brigade.nativ;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What users hear of a missing library; what it computes is tested beside the code in Java. */
class CompiledExchangeTest {
    @Test
    void onlyALibraryThatCannotBeLoadedIsWorthWords() {
        assertNull(CompiledExchange.complaint());
        String words = CompiledExchange.complaint("/tmp/x.so: failed to map segment");
        assertTrue(words.contains("/tmp/x.so: failed to map segment") && words.contains("java.io.tmpdir")
            && words.contains("brigade.native=off"), words);
    }
}

package org.brigade.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.cli.shared.SizeList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchInputTest {
    @Test
    void sizesAreListsAndDoublingRanges() {
        assertEquals(List.of(8L, 16L, 32L, 64L), SizeList.parse("8:64"));
        assertEquals(List.of(8L, 16L), SizeList.parse("8:31"));
        assertEquals(List.of(0L, 100L, 1024L, 2048L, 1L << 20), SizeList.parse("0,100,1K:2K,1M"));
        assertEquals(24, SizeList.parse("8:64M").size());
        assertEquals("0,100,1024,2048", SizeList.plain(SizeList.parse("0,100,1K:2K")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8,", "x", "64:8", "0:8", "8:", "8-64", "-8"})
    void otherSizesAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> SizeList.parse(text));
    }

    @Test
    void theLargestRangeEnds() {
        assertEquals(63, SizeList.parse("1:9223372036854775807").size());
    }

    @Test
    void everyOperationCanBeNamed() {
        for (BenchOperation operation : BenchOperation.ALL) {
            assertEquals(operation, BenchOperation.of(operation.key()));
        }
        assertTrue(assertThrows(IllegalArgumentException.class, () -> BenchOperation.of("broadcast")).getMessage()
            .contains("there are: latency, bw"));
    }
}

package org.brigade.nightly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NightlyRowsTest {
    private static List<Object> values(String row, char delimiter) {
        return Arrays.asList(NightlyRows.rows(new String[] {row}, delimiter).findFirst().orElseThrow().get());
    }

    @Test
    void valuesAreAsCsvSourceHasThem() {
        assertEquals(List.of("3", "all", "ring"), values("3, all, ring", ','));
        assertEquals(List.of("3", "0,2,1", "all"), values("3, '0,2,1', all", ','));
        assertEquals(List.of("exit", ""), values("exit|''", '|'));
        assertEquals(List.of("", "a=b,c=d"), values("''|a=b,c=d", '|'));
        assertEquals(Arrays.asList("4", null), values("4,", ','));
        assertEquals(Arrays.asList(null, "4"), values(",4", ','));
        assertEquals(List.of("mpich", "0,0,1,2"), values("mpich 0,0,1,2", ' '));
        assertEquals(List.of("8"), values("8", ','));
    }

    /** The day's rows come whatever the time. */
    @ParameterizedTest
    @CsvSource({"by day, 1"})
    @Nightly({"by night, 2"})
    void rowsOfBothAreOneTests(String name, int number) {
        assertEquals(number == 1 ? "by day" : "by night", name);
    }
}

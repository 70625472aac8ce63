package org.brigade.cli.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void whatIsWrittenIsReadBack() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text", "a \"b\" \\ \n \u0001 \u00b5");
        value.put("numbers", List.of(1.0, -2.5, 1.2345678901234567e-9, 3e9, Double.MIN_VALUE, Double.MAX_VALUE));
        value.put("none", null);
        value.put("empty", Map.of());
        value.put("list", Arrays.asList(Map.of("a", true), Map.of("b", false), null, List.of()));
        assertEquals(value, Json.read(Json.write(value)));
    }

    @Test
    void whatIsNoNumberIsWrittenAsNull() {
        assertEquals("[null, 1]\n", Json.write(List.of(Double.NaN, 1.0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,]", "[1 2]", "{\"a\" 1}", "{a: 1}", "\"", "\"\\x\"", "tru", "1 2", "[", "01x"})
    void otherTextIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Json.read(text));
    }

    @Test
    void brokenBracketsEndInAnError() {
        assertThrows(IllegalArgumentException.class, () -> Json.read("[".repeat(100_000)));
    }
}

package org.brigade.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BuildTest {
    private static long of(String digits) {
        return Build.of(digits.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aBuildIsTheNumberThatItsDigitsSay() {
        assertEquals(0x0123456789abcdefL, of("0123456789abcdef"));
        assertEquals(-1, of("ffffffffffffffff"));
    }

    @Test
    void whatIsNoNumberIsNoBuild() {
        assertEquals(0, of(""));
        assertEquals(0, of("0123"));
        assertEquals(0, of("${build.digest}-"));
    }
}

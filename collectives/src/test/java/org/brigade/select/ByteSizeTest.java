package org.brigade.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({"0,0", "8,8", "64K,65536", "64k,65536", "1M,1048576", "2G,2147483648",
        "9223372036854775807,9223372036854775807"})
    void suffixesArePowersOf1024(String text, long bytes) {
        assertEquals(bytes, ByteSize.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K", "-1", "1.5K", "64KB", "1 K", "0x10", "9223372036854775808", "9007199254740992K",
        "99999999999999999999", "١"})
    void anythingElseIsRefusedWithTheTextAndTheCure(String text) {
        String message = assertThrows(NumberFormatException.class, () -> ByteSize.parse(text)).getMessage();
        assertTrue(message.startsWith("'" + text + "'") && message.contains("64K"), message);
    }

    @Property
    void whatIsWrittenReadsBack(@ForAll @LongRange(min = 0) long bytes) {
        assertEquals(bytes, ByteSize.parse(ByteSize.compact(bytes)));
        long round = bytes & -1L << 20;
        assertEquals(round, ByteSize.parse(ByteSize.compact(round)));
    }

    @Test
    void sentencesUseBinaryUnits() {
        assertEquals("1 MiB", ByteSize.words(1 << 20));
        assertEquals("1 byte", ByteSize.words(1));
        assertEquals("1000 bytes", ByteSize.words(1000));
    }
}

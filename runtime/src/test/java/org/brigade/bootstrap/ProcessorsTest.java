package org.brigade.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What Linux says about processors, read. */
class ProcessorsTest {
    @Test
    void aMaskIsReadFromItsLowestDigitUp() {
        assertEquals("0-1", allowed("Name:\tjava\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n"));
        assertEquals("4,31-32,63-67", allowed("Threads:\t1\nCpus_allowed:\tf,80000001,80000010\n"));
        assertEquals("1023", allowed("Cpus_allowed:\tffffffff,80000000" + ",00000000".repeat(31) + "\n"),
            "those beyond are left out");
        assertEquals("unknown processors", allowed("Name:\tCpus_allowed: 3\n"));
        assertEquals("unknown processors", allowed(""));
    }

    @Test
    void aListIsReadToItsEnd() {
        assertEquals("0", online("0\n"));
        assertEquals("0-3,8-11,64", online("0-3,8-11,64\n"));
        assertEquals("2-1023", online("2-9999\n"));
        assertEquals("0-1023", online(""), "nothing said is no restriction");
    }

    @Test
    void aLimitIsWholeProcessorsRoundedUp() {
        assertEquals(2, limit("150000 100000\n"));
        assertEquals(4, limit("400000 100000\n"));
        assertEquals(1, limit("1000 100000\n"));
        assertEquals(0, limit("max 100000\n"));
        assertEquals(0, limit(""));
        assertEquals(3, Processors.quota(bytes("300000\n"), bytes("100000\n")), "in two files");
        assertEquals(0, Processors.quota(bytes("-1\n"), bytes("100000\n")));
    }

    @Test
    void theGroupIsThatOfTheSecondVersion() {
        assertEquals("/user.slice/job 1", Processors.group(bytes("12:cpu:/old\n0::/user.slice/job 1\n")));
        assertEquals("", Processors.group(bytes("0::/\n")));
        assertNull(Processors.group(bytes("10::/no\n")));
    }

    @Test
    void wordsSayTheSame() {
        long[] mask = new long[Processors.MASK_WORDS];
        mask[0] = -1L;
        mask[15] = 1L << 63;
        Processors wide = Processors.of(mask, 3);
        assertEquals(Processors.WORDS, wide.words().length);
        assertEquals("0-63,1023, limited to 3 by the control group", Processors.ofWords(wide.words()).toString());
        assertEquals(2, Processors.of(new long[] {5, 0, 0}, 0).words().length);
    }

    @Test
    void thisThreadMayRunOnAsManyAsTheJvmCounts() {
        Processors here = Processors.ofThisThread();
        assertTrue(here.isKnown() && here.count() >= Runtime.getRuntime().availableProcessors(), here
            + ", and the JVM sees " + Runtime.getRuntime().availableProcessors());
    }

    private static String allowed(String status) {
        return Processors.of(Processors.allowed(bytes(status)), 0).toString();
    }

    private static String online(String list) {
        return Processors.of(Processors.online(bytes(list)), 0).toString();
    }

    private static int limit(String both) {
        byte[] text = bytes(both);
        return Processors.quota(text, text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}

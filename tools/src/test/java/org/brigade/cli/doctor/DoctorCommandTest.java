package org.brigade.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.brigade.cli.Ended;
import org.brigade.cli.shared.Json;
import org.junit.jupiter.api.Test;

class DoctorCommandTest {
    private static final Diagnosis GOOD = Diagnosis.good("clock", "tsc");
    private static final Diagnosis COSTS = Diagnosis.costs("single copy", "not available ".repeat(12).strip(),
        "twice the time", "permit it");
    private static final Diagnosis BLOCKS = Diagnosis.blocks("/dev/shm", "missing", "no job", "mount it");

    @Test
    void whatIsGoodTakesALineAndTheRestAParagraph() {
        String text = DoctorReport.text(List.of(GOOD, COSTS));
        List<String> lines = text.lines().toList();
        assertEquals("clock          good     tsc", lines.get(0));
        assertTrue(lines.get(1).startsWith("single copy    costs    not available not"), text);
        assertTrue(lines.get(2).startsWith(" ".repeat(24) + "available not"), text);
        assertEquals(" ".repeat(24) + "left as it is: twice the time", lines.get(3));
        assertEquals(" ".repeat(24) + "to change it: permit it", lines.get(4));
        assertEquals("1 of 2 could be changed; jobs run as it is.", lines.get(6));
        assertTrue(lines.stream().allMatch(line -> line.length() <= 112), text);
        assertTrue(DoctorReport.text(List.of(GOOD)).endsWith("\nNothing to change.\n"));
        assertTrue(DoctorReport.text(List.of(COSTS, BLOCKS)).endsWith("No job of two ranks can run here until what"
            + " blocks is changed.\n"));
    }

    @Test
    void onlyWhatBlocksAllJobsIsAFailure() {
        assertFalse(DoctorCommand.blocked(List.of(GOOD, COSTS)));
        assertTrue(DoctorCommand.blocked(List.of(GOOD, BLOCKS)));
        assertEquals(false, DoctorCommand.named(List.of(BLOCKS)).get("jobsCanRun"));
    }

    /** Jobs run on the machine that runs the tests. */
    @Test
    void thisMachineIsCheckedInWordsAndAsJson() {
        Ended words = Ended.brigade("doctor");
        assertEquals(0, words.code(), words.out() + words.err());
        Ended json = Ended.brigade("doctor", "--json");
        assertEquals(0, json.code(), json.err());
        Map<?, ?> all = (Map<?, ?>) Json.read(json.out());
        assertEquals(true, all.get("jobsCanRun"));
        List<?> checks = (List<?>) all.get("checks");
        assertEquals(21, checks.size());
        assertEquals(21, checks.stream().map(each -> ((Map<?, ?>) each).get("name")).distinct().count());
        for (Object each : checks) {
            Map<?, ?> check = (Map<?, ?>) each;
            assertEquals(List.of("name", "verdict", "finding", "cost", "cure"),
                check.keySet().stream().map(Object::toString).collect(Collectors.toList()));
            assertTrue(words.out().contains(check.get("name") + " "), () -> check + " is not in\n" + words.out());
        }
    }
}

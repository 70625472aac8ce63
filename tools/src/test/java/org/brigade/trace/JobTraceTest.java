package org.brigade.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.brigade.cli.shared.Json;
import org.brigade.simulate.wiring.NamedWirings;
import org.junit.jupiter.api.Test;

/** What a trace says of ranks whose history is known. */
class JobTraceTest {
    private static final long MS = InventedTrace.MS;

    private final JobTrace trace = InventedTrace.make();

    @Test
    void aReceiverWaitsUntilItsSenderBeginsToSend() {
        long[][] waited = trace.waitedFor();
        assertEquals(5 * MS + 2_500_000, waited[1][2], "5 ms in recv, 2.5 ms in the allreduce");
        assertEquals(4 * MS + 100_000, waited[0][1], "until rank 1 sends, not until the message is there");
        assertEquals(2 * MS, waited[0][2]);
        assertEquals(0, waited[2][0] + waited[2][1] + waited[1][0]);
    }

    @Test
    void theCriticalPathLeadsThroughTheRankThatTheOthersWaitFor() {
        long[] own = new CriticalPath(trace).nanos(3, false);
        long[] inCalls = new CriticalPath(trace).nanos(3, true);
        long sum = 0;
        for (int rank = 0; rank < 3; rank++) {
            sum += own[rank] + inCalls[rank];
        }
        assertEquals(10 * MS, sum, "the path covers all the time once");
        assertTrue(own[2] > 8 * MS, "rank 2's work decides: " + own[2]);
        assertEquals(0, own[1]);
    }

    @Test
    void bytesCountOnceForEachMessage() {
        long[][][] traffic = trace.traffic();
        assertEquals(1000, traffic[1][0][0]);
        assertEquals(1000 + (1 << 19), traffic[2][1][0]);
        assertEquals(2, traffic[2][1][1]);
        assertEquals(0, traffic[0][1][1]);
    }

    @Test
    void theReportNamesAlgorithmPredictionAndTheRankThatIsWaitedFor() {
        String report = TraceReport.of(trace, "ideal:3", NamedWirings.find("ideal:3"));
        assertTrue(report.contains("the most loaded rank, 2, "), report);
        assertTrue(
            report.lines().anyMatch(line -> line.matches("allreduce +3 +1024 KiB|allreduce +3 +1 MiB +1  ring .*")),
            report);
        assertTrue(report.contains("ring: line 1 of a table"), report);
        assertTrue(report.contains("within 3.0 us"), report);
        assertTrue(report.lines().anyMatch(line -> line.matches("2 +b +8\\.\\d+ ms .*9\\.50 ms")), report);
    }

    @Test
    void perfettoGetsAProcessForEachRankAndAnArrowForEachMessage() {
        StringWriter out = new StringWriter();
        ChromeTrace.write(trace, out);
        List<?> events = (List<?>) ((Map<?, ?>) Json.read(out.toString())).get("traceEvents");
        long ranks = events.stream().filter(each -> "process_name".equals(((Map<?, ?>) each).get("name"))).count();
        assertEquals(4, ranks, "three ranks and the critical path");
        assertEquals(2, events.stream().filter(each -> "s".equals(((Map<?, ?>) each).get("ph"))).count());
        assertEquals(2, events.stream().filter(each -> "f".equals(((Map<?, ?>) each).get("ph"))).count());
        assertTrue(
            events.stream().anyMatch(each -> each instanceof Map<?, ?> event && "allreduce".equals(event.get("name"))
                && event.get("ts").equals(9000.0) && event.get("dur").equals(1000.0) && event.get("pid").equals(2.0)));
    }

    @Test
    void arrowsBeginAndEndWithinACall() {
        StringWriter out = new StringWriter();
        ChromeTrace.write(trace, out);
        List<?> events = (List<?>) ((Map<?, ?>) Json.read(out.toString())).get("traceEvents");
        for (Object each : events) {
            Map<?, ?> arrow = (Map<?, ?>) each;
            if (arrow.get("ph").equals("s") || arrow.get("ph").equals("f")) {
                assertTrue(events.stream().anyMatch(slice -> holds((Map<?, ?>) slice, arrow)),
                    "a viewer drops an arrow outside of all slices: " + arrow);
            }
        }
    }

    private static boolean holds(Map<?, ?> slice, Map<?, ?> arrow) {
        if (!slice.get("ph").equals("X") || !slice.get("pid").equals(arrow.get("pid"))
            || !slice.get("tid").equals(arrow.get("tid"))) {
            return false;
        }
        double begin = (Double) slice.get("ts");
        double time = (Double) arrow.get("ts");
        return begin <= time && time < begin + (Double) slice.get("dur");
    }

    @Test
    void messagesWhoseEndsDoNotCountAlikeAreLeftAlone() {
        RankTrace sender = trace.rank(2);
        JobTrace half = new JobTrace("half", List.of(sender));
        assertEquals(List.of(), half.flows());
        assertEquals(2, trace.flows().size());
    }
}

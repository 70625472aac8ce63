package org.brigade.cli.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.Samples;
import org.junit.jupiter.api.Test;

class BenchTableTest {
    @Test
    void csvHasOneHeaderAndFullPrecision() {
        StringWriter text = new StringWriter();
        BenchTable table = new BenchTable(new PrintWriter(text), true);
        table.row(new BenchRow("bcast", 2, 1024, "chain", 1.5));
        table.row(new BenchRow("allreduce", 2, 8, "ring", 0.125));
        assertEquals(List.of("operation,ranks,bytes,algorithm,microseconds", "bcast,2,1024,chain,1.500",
            "allreduce,2,8,ring,0.125"), text.toString().lines().toList());
    }

    @Test
    void besideAPeerARatioAboveOneMeansThatWeAreFaster() {
        StringWriter text = new StringWriter();
        BenchTable table = new BenchTable(new PrintWriter(text), true);
        table.row(new BenchRow("bcast", 2, 1024, "chain", 1.5), new BenchRow("bcast", 2, 1024, "", 3));
        table.row(new BenchRow("bcast", 2, 2048, "chain", 1.5), null);
        assertEquals(List.of("operation,ranks,bytes,algorithm,microseconds,peer_microseconds,ratio",
            "bcast,2,1024,chain,1.500,3.000,2.000",
            "bcast,2,2048,chain,1.500,,"), text.toString().lines().toList());
    }

    @Test
    void spansOfColdCallsHaveAColumn() {
        BenchRow row = BenchRow.parse("bcast,2,8,3-10,,4.5");
        assertEquals(List.of("operation,ranks,bytes,calls,algorithm,microseconds", "bcast,2,8,3-10,,4.500"),
            print(true, row));
        List<String> lines = print(false, row, BenchRow.parse("bcast,2,4096,1,,9"));
        assertEquals("bcast of 8, cold, 2 ranks", lines.get(0));
        assertTrue(lines.get(1).strip().startsWith("calls") && lines.get(2).strip().startsWith("3-10"), lines.get(2));
        assertEquals("bcast of 4K, cold, 2 ranks", lines.get(4));
    }

    private static List<String> print(boolean csv, BenchRow... rows) {
        StringWriter text = new StringWriter();
        BenchTable table = new BenchTable(new PrintWriter(text), csv);
        for (BenchRow row : rows) {
            table.row(row);
        }
        return text.toString().lines().toList();
    }

    private static MeasuredRow.PeerTime peer(String name, double... times) {
        Samples samples = Samples.of(times);
        return new MeasuredRow.PeerTime(name, new BenchRow("bcast", 2, 1024, "", samples.median()), samples);
    }

    private static String table(boolean csv, MeasuredRow row, String... names) {
        StringWriter text = new StringWriter();
        BenchTable table = new BenchTable(new PrintWriter(text), csv);
        table.row(row, List.of(names));
        table.end();
        return text.toString();
    }

    @Test
    void oneOfSeveralPeersHasAColumnOfItsOwnAndTheFastestCounts() {
        MeasuredRow row = new MeasuredRow(new BenchRow("bcast", 2, 1024, "chain", 1.5), Samples.of(1.5),
            List.of(peer("openmpi", 6), peer("mpich", 3)));
        assertEquals(List.of("operation,ranks,bytes,algorithm,microseconds,peer_microseconds,ratio,openmpi,mpich,other",
            "bcast,2,1024,chain,1.500,3.000,2.000,6.000,3.000,"),
            table(true, row, "openmpi", "mpich", "other").lines().toList());
        String words = table(false, row, "openmpi", "mpich");
        assertTrue(words.contains("best peer's") && words.contains("openmpi") && words.contains("2.00 x"), words);
        assertFalse(words.contains("unsteady"), words);
    }

    @Test
    void anUnsteadyRowIsMarkedInTheTableAndExplainedButCsvStays() {
        MeasuredRow row = new MeasuredRow(new BenchRow("bcast", 2, 1024, "chain", 1.5), Samples.of(1.5, 1.5, 9),
            List.of(peer("peer", 3, 3, 3)));
        String words = table(false, row, "peer");
        assertTrue(words.contains("2.00 x  unsteady") && words.contains("more than a third of their median"), words);
        assertEquals(List.of("operation,ranks,bytes,algorithm,microseconds,peer_microseconds,ratio",
            "bcast,2,1024,chain,1.500,3.000,2.000"), table(true, row, "peer").lines().toList());
    }
}

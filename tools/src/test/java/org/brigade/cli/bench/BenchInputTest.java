package org.brigade.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.brigade.cli.shared.BenchException;
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
    void rowsAreReadWithAndWithoutAnAlgorithm() {
        assertEquals(new BenchRow("bcast", 2, 8, "", 0.25), BenchRow.parse("bcast,2,8,0.250"));
        assertEquals(new BenchRow("bcast", 2, 8, "fused-flat", 0.25), BenchRow.parse(" bcast,2,8,fused-flat,0.250\r"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "operation,ranks,bytes,microseconds", "# OSU MPI Latency", "8 0.25", "bcast,2,8",
        "bcast,2,8,NaN", "bcast,2,8,-1", "bcast,0,8,1",
        "bcast,2,-8,1", "bcast,2,8,a,b,1", "bcast,2,1e3,1"})
    void otherOutputOfAPeerIsPassedOver(String line) {
        assertNull(BenchRow.parse(line));
    }

    @Test
    void thePeersCommandGetsOurSizes() {
        assertEquals("run -n 4 bcast 8,16", new PeerProgram("run -n {np} {ops} {sizes}", "8,16", "bcast", 4).command());
        assertEquals("run 8,16", new PeerProgram("run", "8,16", "bcast", 4).command());
    }

    @Test
    void thePeersRowsAreReadFromItsOutput() {
        assertEquals(List.of(new BenchRow("bcast", 2, 8, "", 1.5)),
            new PeerProgram("echo header; echo bcast,2,8,1.5; echo", "8", "bcast", 2).run());
    }

    @Test
    void aPeerThatFailsOrPrintsNothingIsAnError() {
        assertTrue(assertThrows(BenchException.class, () -> new PeerProgram("exit 3 #", "8", "bcast", 2).run())
            .getMessage().contains("exited with code 3"));
        assertTrue(assertThrows(BenchException.class, () -> new PeerProgram("true", "8", "bcast", 2).run()).getMessage()
            .contains("printed no line"));
    }

    @Test
    void severalRunsGiveTheirMedian() {
        MedianRows rows = new MedianRows();
        for (double time : new double[] {9, 1, 2}) {
            rows.add(new BenchRow("bcast", 2, 8, "chain", time));
        }
        assertEquals(List.of(new BenchRow("bcast", 2, 8, "chain", 2)), rows.rows());
        assertNull(rows.best("bcast,16"));
    }

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
    void everyOperationCanBeNamed() {
        for (BenchOperation operation : BenchOperation.ALL) {
            assertEquals(operation, BenchOperation.of(operation.key()));
        }
        assertTrue(assertThrows(IllegalArgumentException.class, () -> BenchOperation.of("broadcast")).getMessage()
            .contains("there are: latency, bw"));
    }
}

package org.brigade.cli.bench.versus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.brigade.cli.bench.BenchOperation;
import org.brigade.cli.shared.BenchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerProgramTest {
    private static final BenchJob JOB = new BenchJob("bcast", "8", 2, 0);
    private static final Consumer<BenchRow> IGNORED = row -> {
    };

    @Test
    void rowsAreReadWithAndWithoutAnAlgorithm() {
        assertEquals(new BenchRow("bcast", 2, 8, "", 0.25), BenchRow.parse("bcast,2,8,0.250"));
        assertEquals(new BenchRow("bcast", 2, 8, "fused-flat", 0.25), BenchRow.parse(" bcast,2,8,fused-flat,0.250\r"));
    }

    @Test
    void rowsOfColdCallsHaveASpan() {
        BenchRow row = BenchRow.parse("bcast,2,4096,11-30,,1.5");
        assertEquals("bcast,4096,11-30", row.key());
        assertEquals("bcast of 4K, cold", row.group());
        assertEquals("11-30", row.place());
        assertEquals("total", BenchRow.parse("barrier,2,0,total,,1.5").calls());
        assertEquals("", BenchRow.parse("bcast,2,4096,1.5").calls());
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
        BenchJob job = new BenchJob("bcast", "8,16", 4, 0);
        assertEquals("run -n 4 bcast 8,16", PeerProgram.ofShell("run -n {np} {ops} {sizes}", job).version());
        assertEquals("run 8,16", PeerProgram.ofShell("run", job).version());
        assertEquals("run 8,16 fresh=99",
            PeerProgram.ofShell("run {sizes} {fresh}", new BenchJob("bcast", "8,16", 4, 99)).version());
    }

    @Test
    void thePeersRowsAreReadFromItsOutput() {
        List<BenchRow> rows = new ArrayList<>();
        PeerProgram.ofShell("echo header; echo bcast,2,8,1.5; echo", JOB).run(rows::add);
        assertEquals(List.of(new BenchRow("bcast", 2, 8, "", 1.5)), rows);
    }

    @Test
    void rowsOfNcclHaveVariantsOfWhichTheFasterCounts() {
        BenchJob job = new BenchJob("reduce-scatter,alltoall,bw", "16", 2, 0);
        String rows = "echo '# NCCL 2.28.9, one process per GPU';"
            + "echo operation,variant,gpus,bytes,blocking_us,stream_us,graph_us,busbw_GBps;";
        PeerProgram peer = PeerProgram.ofShell(rows + "echo reduce_scatter,plain,2,16,11.40,6.10,5.20,0.0;"
            + "echo reduce_scatter,symmetric,2,16,11.10,6.30,4.90,0.0; echo alltoall,plain,2,16,12.00,7.00,6.00,0.0 #",
            job);
        Comparison comparison = new Comparison(List.of(peer), null);
        comparison.run(sink -> {
            sink.accept(BenchRow.parse("reduce-scatter,2,16,packets,9.900,5.000,4.000"));
            sink.accept(BenchRow.parse("alltoall,2,16,packets,10.000,,"));
            sink.accept(BenchRow.parse("bw,2,16,point-to-point,1.000,,"));
            return 0;
        }, 1, () -> {
        });
        List<MeasuredRow> measured = comparison.rows();
        assertEquals(new BenchRow("reduce-scatter", 2, 16, "symmetric", 11.1, 6.1, 4.9), measured.get(0).best().row());
        assertEquals(1.2, measured.get(1).ratio(), 1e-9);
        assertNull(measured.get(2).best(), "no row, no failure");
    }

    @Test
    void operationsOfTheProgramForNcclAreOurs() throws IOException {
        String source;
        try (InputStream text = BenchRow.class.getResourceAsStream("nccl_bench.cu")) {
            source = new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<String> names = new ArrayList<>();
        Matcher operation = Pattern.compile("\\{\"(\\w+)\", \\w+, \\w+}").matcher(source);
        while (operation.find()) {
            String name = BenchRow.parse(operation.group(1) + ",plain,2,16,1,1,1,1").operation();
            names.add(BenchOperation.of(name).key());
        }
        assertEquals(
            List.of("allreduce", "bcast", "reduce", "allgather", "reduce-scatter", "alltoall", "latency", "gather",
                "scatter", "gatherv", "scatterv", "allgatherv", "alltoallv", "neighbor-allgather",
                "neighbor-alltoall"),
            names);
    }

    @Test
    void aPeerThatFailsOrPrintsNothingIsAnError() {
        assertTrue(assertThrows(BenchException.class, () -> PeerProgram.ofShell("exit 3 #", JOB).run(IGNORED))
            .getMessage().contains("exited with code 3"));
        assertTrue(assertThrows(BenchException.class, () -> PeerProgram.ofShell("true", JOB).run(IGNORED)).getMessage()
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
}

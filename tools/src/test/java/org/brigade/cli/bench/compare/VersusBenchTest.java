package org.brigade.cli.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.cli.bench.regress.Expectations;
import org.brigade.cli.bench.regress.MachineShape;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.Samples;
import org.brigade.cli.shared.BenchException;
import org.brigade.topology.system.HostShape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Comparisons of invented ranks with shell scripts. */
@Tag("calculation") // of scripts, which the JDK cannot change
class VersusBenchTest {
    private static final MachineShape SHAPE = new MachineShape(new HostShape(2, 2, 1, 1, "Model"), true);
    private static final BenchJob JOB = new BenchJob("bcast,reduce", "8", 2, 0);

    @TempDir
    Path folder;

    private MachineShape now = SHAPE;
    private final VersusOptions options = new VersusOptions();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> measured = new ArrayList<>();

    /** Our ranks: bcast takes the times given, one a run, the last one for ever; reduce always takes 1. */
    private VersusBench bench(double... bcast) {
        int[] run = {0};
        return new VersusBench((job, bound, sink) -> {
            measured.add(job.operations());
            for (String operation : Arrays.asList(job.operations().split(","))) {
                double time = operation.equals("bcast") ? bcast[Math.min(run[0]++, bcast.length - 1)] : 1;
                sink.accept(new BenchRow(operation, 2, 8, "direct", time));
            }
            return 0;
        }, options, "brigade bench", new PrintWriter(err, true));
    }

    private int regress(VersusBench bench, Expectations expected) {
        options.peers = "echo bcast,2,8,2; echo reduce,2,8,2; :";
        options.runs = 1;
        return new RegressBench(bench, options, "brigade bench --regress", new PrintWriter(out)).run(JOB, expected,
            SHAPE, () -> now, folder);
    }

    private static Expectations expected() {
        List<MeasuredRow> rows = new ArrayList<>();
        for (String operation : List.of("bcast", "reduce")) {
            BenchRow theirs = new BenchRow(operation, 2, 8, "", 2);
            rows.add(new MeasuredRow(new BenchRow(operation, 2, 8, "direct", 1), Samples.of(1, 1),
                List.of(new MeasuredRow.PeerTime("peer", theirs, Samples.of(2, 2)))));
        }
        return Expectations.of(JOB, rows);
    }

    @Test
    void aCommandLineWithoutFreshIsSaidToKeepItsBuffers() {
        options.peers = "echo bcast,2,8,2; :";
        options.runs = 1;
        BenchTable table = new BenchTable(new PrintWriter(out), true);
        assertEquals(0, bench(1).compare(new BenchJob("bcast", "8", 2, 4096), table, "quiet"));
        assertTrue(err.toString().contains("has no {fresh}"), err.toString());
        assertTrue(out.toString().contains("bcast,2,8,direct,1.000,2.000,2.000"), out.toString());
    }

    /** For a process: compares one row, 1.5 us, with a peer that says that it runs and does not end by itself. */
    public static final class Endless {
        private Endless() {
        }

        public static void main(String[] arguments) {
            VersusOptions options = new VersusOptions();
            options.peers = "echo; echo runs >&2; exec sleep 600 #";
            options.runs = 1;
            new VersusBench((job, bound, sink) -> {
                sink.accept(new BenchRow("bcast", 2, 8, "direct", 1.5));
                return 0;
            }, options, "brigade bench", new PrintWriter(System.err, true)).compare(new BenchJob("bcast", "8", 2, 0),
                new BenchTable(new PrintWriter(System.out), true), "quiet");
        }
    }

    @Test
    @Timeout(300)
    void oneThatIsEndedPrintsWhatItHasMeasuredAndEndsItsPeers() throws Exception {
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
            System.getProperty("java.class.path"), Endless.class.getName()).start();
        BufferedReader errors = process.errorReader();
        for (String line = errors.readLine(); !"runs".equals(line); line = errors.readLine()) {
            assertNotNull(line, "it ends by itself");
        }
        process.toHandle().destroy(); // leaves its streams open
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(printed.contains("bcast,2,8,direct,1.500,,"), printed);
        while (errors.readLine() != null) {
            // The peer holds the other end.
        }
    }

    @Test
    void nothingHasFallenIfRatiosAreAsExpected() {
        assertEquals(0, regress(bench(1.05), expected()));
        assertTrue(out.toString().contains("0 of 2 ratios have fallen"), out.toString());
        assertEquals(List.of("bcast,reduce"), measured);
    }

    @Test
    void whatFellIsMeasuredAgainAndFailsIfItFallsAgain() {
        assertEquals(1, regress(bench(1.5), expected()));
        assertEquals(List.of("bcast,reduce", "bcast"), measured);
        assertTrue(out.toString().contains("1 of 2 ratios have fallen"), out.toString());
        assertTrue(out.toString().lines().anyMatch(line -> line.startsWith("bcast") && line.endsWith("  fell")));
    }

    @Test
    void whatFallsOnlyOnceHasNotFallen() {
        assertEquals(0, regress(bench(1.5, 1), expected()));
        assertTrue(out.toString().contains("fell once, not again"), out.toString());
    }

    @Test
    void savedRatiosAreThoseOfTheNextTime() {
        options.save = true;
        assertEquals(0, regress(bench(1), null));
        options.save = false;
        assertEquals(0, regress(bench(1), Expectations.find(folder, SHAPE).get(0)));
        assertEquals(1, regress(bench(2), Expectations.find(folder, SHAPE).get(0)));
    }

    @Test
    void theAnswerSaysWhatARatioIs() {
        regress(bench(1), expected());
        assertTrue(out.toString().startsWith("2 ranks. A ratio is the peer's time divided by Brigade's: above 1,"),
            out.toString());
        assertTrue(out.toString().contains("Brigade has not become slower here"), out.toString());
    }

    @Test
    void nothingIsComparedIfTheMachineHasChangedMeanwhile() {
        now = new MachineShape(SHAPE.machine(), false);
        BenchException changed = assertThrows(BenchException.class, () -> regress(bench(1), expected()));
        assertTrue(changed.getMessage().contains("has changed while it was measured"), changed.getMessage());
        assertEquals("", out.toString());
    }

    @Test
    void nothingToCompareIsAnError() {
        Expectations other = new Expectations(JOB, List.of("peer"), List.of());
        assertTrue(assertThrows(BenchException.class, () -> regress(bench(1), other)).getMessage()
            .contains("has no ratio of bcast,reduce"));
    }

    @Test
    void theHeadSaysWhatIsComparedAndHowRanksAreBound() {
        options.peers = "echo bcast,2,8,2; :";
        options.runs = 1;
        bench(1).compare(new BenchJob("bcast", "8", 2, 0), new BenchTable(new PrintWriter(out), false), "quiet");
        List<String> lines = out.toString().lines().toList();
        assertTrue(lines.get(0).matches("Brigade: \\S+, ranks not bound"), out.toString());
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("peer: echo bcast,2,8,2")), out.toString());
    }
}

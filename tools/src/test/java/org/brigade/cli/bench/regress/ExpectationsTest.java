package org.brigade.cli.bench.regress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.Samples;
import org.brigade.cli.shared.BenchException;
import org.brigade.topology.system.HostShape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpectationsTest {
    private static final MachineShape SHAPE = new MachineShape(machine(2, 1), true);
    private static final BenchJob JOB = new BenchJob("bcast", "8,4096", 2, 0);

    @TempDir
    Path folder;

    private static HostShape machine(int processors, int numaNodes) {
        return new HostShape(processors, 2, 1, numaNodes, "A (R) Processor 3000");
    }

    private static MeasuredRow row(long bytes, Samples ours, Samples theirs) {
        return new MeasuredRow(new BenchRow("bcast", 2, bytes, "direct", ours.median()), ours,
            List.of(new MeasuredRow.PeerTime("openmpi", new BenchRow("bcast", 2, bytes, "", theirs.median()), theirs)));
    }

    private static Expectations expected() {
        return Expectations.of(JOB, List.of(row(8, Samples.of(1, 2, 1), Samples.of(2, 4, 2)),
            row(4096, Samples.of(1, 1, 1), Samples.of(1, 2, 3))));
    }

    @Test
    void ratiosAreThoseOfNeighboursInTurn() {
        ExpectedRatio ratio = expected().ratios().get(0);
        assertEquals(2, ratio.ratio());
        assertEquals(0, ratio.spread(), "both sides were slow in the same run");
        assertEquals(1, expected().ratios().get(1).spread());
    }

    @Test
    void whatIsSavedIsFoundForItsShapeOnly() throws IOException {
        Path file = expected().save(folder, SHAPE, Map.of("date", "today"));
        assertEquals("host-2-a-processor-3000-near-np2.json", file.getFileName().toString());
        assertEquals(List.of(expected()), Expectations.find(folder, SHAPE));
        assertEquals(List.of(), Expectations.find(folder, new MachineShape(machine(2, 1), false)));
        assertEquals(List.of(), Expectations.find(folder, new MachineShape(machine(4, 1), true)));
        assertEquals(List.of(), Expectations.find(folder, new MachineShape(machine(2, 2), true)));
        Files.writeString(folder.resolve("host-0.json"), "{ \"shape\": ");
        assertTrue(assertThrows(BenchException.class, () -> Expectations.find(folder, SHAPE)).getMessage()
            .contains("host-0.json cannot be read"));
    }

    @Test
    void eachShapeAndNumberOfRanksAndKindOfBuffersHasAFile() {
        MachineShape likeIt = new MachineShape(machine(2, 2), true);
        Path first = expected().save(folder, SHAPE, Map.of());
        assertEquals("host-2-a-processor-3000-near-np2-2.json",
            expected().save(folder, likeIt, Map.of()).getFileName().toString());
        Expectations four = new Expectations(new BenchJob("bcast", "8", 4, 0), List.of(), List.of());
        Expectations fresh = new Expectations(new BenchJob("bcast", "8", 2, 4096), List.of(), List.of());
        four.save(folder, SHAPE, Map.of());
        fresh.save(folder, SHAPE, Map.of());
        assertEquals(first, expected().save(folder, SHAPE, Map.of()), "saved again");
        assertEquals(Set.of(expected(), four, fresh), Set.copyOf(Expectations.find(folder, SHAPE)));
        assertEquals(List.of(expected()), Expectations.find(folder, likeIt));
        assertTrue(four.areFor(new BenchJob("", "8", 4, 0)) && fresh.areFor(new BenchJob("", "8", 2, 1))
            && !fresh.areFor(new BenchJob("", "8", 2, 0)));
        assertEquals("2 ranks, fresh buffers", fresh.words());
    }

    private static MeasuredRow cold(String calls, double ours, double theirs) {
        BenchRow row = new BenchRow("bcast", 2, 8, "", ours, Double.NaN, Double.NaN, calls);
        return new MeasuredRow(row, Samples.of(ours), List.of(new MeasuredRow.PeerTime("openmpi", row,
            Samples.of(theirs))));
    }

    @Test
    void coldCallsHaveAFileOfTheirOwnAndARatioForEachSpan() {
        Expectations cold = Expectations.of(new BenchJob("bcast", "8", 2, 0, 30),
            List.of(cold("1", 10, 5), cold("3-10", 2, 1), cold("total", 40, 20)));
        expected().save(folder, SHAPE, Map.of());
        assertEquals("host-2-a-processor-3000-near-np2-cold.json",
            cold.save(folder, SHAPE, Map.of()).getFileName().toString());
        assertEquals(Set.of(expected(), cold), Set.copyOf(Expectations.find(folder, SHAPE)));
        assertEquals("2 ranks, cold", cold.words());
        assertFalse(cold.areFor(JOB));
        List<Expectations.Verdict> verdicts = cold.compare(List.of(cold("1", 10, 2), cold("3-10", 2, 1),
            row(8, Samples.of(1), Samples.of(0.1))));
        assertEquals(List.of(true, false), verdicts.stream().map(Expectations.Verdict::fell).toList());
        assertEquals("3-10", verdicts.get(1).expected().place());
    }

    @Test
    void onlyWhatIsBeyondTheNoiseHasFallen() {
        List<Expectations.Verdict> verdicts = expected().compare(List.of(
            row(8, Samples.of(1, 1, 1), Samples.of(1.8, 1.8, 1.8)), row(4096, Samples.of(1), Samples.of(1.2))));
        assertFalse(verdicts.get(0).fell(), "10 % are noise");
        assertFalse(verdicts.get(1).fell(), "40 %, but the runs differed as much");
        verdicts = expected().compare(List.of(row(8, Samples.of(1), Samples.of(1.6)),
            row(4096, Samples.of(1), Samples.of(0.9))));
        assertTrue(verdicts.get(0).fell());
        assertTrue(verdicts.get(1).fell());
        assertTrue(expected().compare(List.of(row(8, Samples.of(1), Samples.of(3)))).get(0).rose());
    }

    @Test
    void measurementsThatNobodyExpectsAreLeftOut() {
        assertEquals(List.of(), expected().compare(List.of(row(64, Samples.of(1), Samples.of(1)))));
    }
}

package org.brigade.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.brigade.cli.Brigade;
import org.brigade.cli.shared.BenchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BusBenchTest {
    @TempDir
    Path folder;

    private static BusRow row(BusOperation operation, int ranks, long bytes, double microseconds) {
        return new BusRow(operation, ranks, bytes, "ring", microseconds, 0.5);
    }

    @Test
    void busBandwidthIsWhatEachLinkCarriesAsNcclTestsCountsIt() {
        assertEquals(1.5, row(BusOperation.ALLREDUCE, 4, 1_000_000, 1000).busBandwidth(), 1e-12);
        assertEquals(1, row(BusOperation.BCAST, 4, 1_000_000, 1000).busBandwidth(), 1e-12);
        assertEquals(1, row(BusOperation.REDUCE, 4, 1_000_000, 1000).busBandwidth(), 1e-12);
        assertEquals(0.75, row(BusOperation.ALLGATHER, 4, 1_000_000, 1000).busBandwidth(), 1e-12);
        assertEquals(0.75, row(BusOperation.REDUCE_SCATTER, 4, 1_000_000, 1000).busBandwidth(), 1e-12);
    }

    @Test
    void sharedVectorsHaveAnElementForEachRank() {
        assertEquals(16, BusOperation.ALLGATHER.bytes(8, 4));
        assertEquals(96, BusOperation.REDUCE_SCATTER.bytes(100, 3));
        assertEquals(100, BusOperation.ALLREDUCE.bytes(103, 3));
    }

    @Test
    void resNet50HasItsTensorsAndParameters() {
        int[] tensors = ResNet50.tensors();
        assertEquals(161, tensors.length);
        assertEquals(25_557_032, Arrays.stream(tensors).sum());
        assertEquals(1000, tensors[0], "the last layer's bias is ready first");
        assertEquals(64 * 3 * 7 * 7, tensors[158 + 2], "the first layer's weights are ready last");
    }

    @Test
    void bucketsAreOfWholeTensorsAndFull() {
        int[] buckets = ResNet50.buckets();
        assertEquals(25_557_032, Arrays.stream(buckets).sum());
        assertEquals(5, buckets.length);
        assertTrue(4L * buckets[0] >= 1 << 20);
        for (int i = 1; i + 1 < buckets.length; i++) {
            assertTrue(4L * buckets[i] >= 25 << 20, i + ": " + buckets[i]);
        }
    }

    @Test
    void rowsAreReadAsRanksPrintThem() {
        BusRow row = row(BusOperation.REDUCE_SCATTER, 2, 64, 1.5);
        assertEquals(row, BusRow.parse(row.line()));
        assertEquals(new BusRow(BusOperation.BCAST, 2, 64, "", 3, 1), BusRow.parse("bcast,2,64,,3.000,1.000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "operation,ranks,bytes,algorithm,microseconds,cpu", "latency,2,8,,1,1",
        "bcast,2,8,,NaN,1", "bcast,2,8,,1,-1", "bcast,0,8,,1,1", "bcast,2,8,1", "bcast,2,8,,1,NaN"})
    void otherOutputIsPassedOver(String line) {
        assertNull(BusRow.parse(line));
    }

    @Test
    void theMedianOfRunsKeepsItsOwnProcessorTime() {
        BusRow middle = new BusRow(BusOperation.BCAST, 2, 8, "chain", 2, 0.25);
        assertEquals(middle,
            BusBench.median(List.of(row(BusOperation.BCAST, 2, 8, 9), middle, row(BusOperation.BCAST, 2, 8, 1))));
    }

    @Test
    void csvIsReadBack() throws IOException {
        StringWriter text = new StringWriter();
        BusTable table = new BusTable(new PrintWriter(text), true, true);
        BusTable.Line beside = new BusTable.Line(2, row(BusOperation.ALLREDUCE, 4, 1024, 1.5),
            new BusRow(BusOperation.ALLREDUCE, 4, 1024, "", 3, 0.75));
        BusTable.Line alone = new BusTable.Line(2, row(BusOperation.BCAST, 4, 1024, 1.5), null);
        table.line(beside);
        table.line(alone);
        assertTrue(text.toString().contains(",2.000"), "the ratio above 1 says that we are faster: " + text);
        Path file = Files.writeString(folder.resolve("a.csv"), "# by hand\n" + text);
        assertEquals(List.of(beside, alone), BusTable.read(file));
    }

    @Test
    void aLineThatIsNoMeasurementIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "# a comment\nbcast,2,4,8\n");
        assertTrue(assertThrows(BenchException.class, () -> BusTable.read(file)).getMessage().contains("line 2 of"));
        Path empty = Files.writeString(folder.resolve("b.csv"), "");
        assertTrue(
            assertThrows(BenchException.class, () -> BusTable.read(empty)).getMessage().contains("no measurement"));
    }

    @Test
    void whatWasMeasuredIsDrawn() throws IOException {
        Path csv = folder.resolve("a.csv");
        try (PrintWriter out = new PrintWriter(csv.toFile())) {
            BusTable table = new BusTable(out, true, true);
            for (long bytes = 8; bytes <= 1 << 20; bytes *= 2) {
                table.line(new BusTable.Line(2, row(BusOperation.ALLREDUCE, 2, bytes, 5 + bytes * 1e-4),
                    new BusRow(BusOperation.ALLREDUCE, 2, bytes, "", 30 + bytes * 8e-3, 1)));
            }
        }
        Path page = folder.resolve("page.svg");
        assertEquals(0, brigade("bench", "--from", csv.toString(), "--picture", page.toString()).code);
        String svg = Files.readString(page);
        for (String words : new String[] {"Figure 5.2", "Figure 5.3", "Figure 5.4", "Figure 5.5", "Figure 5.6",
            "SISCI, 2 x 1", "sockets, 2 x 1"}) {
            assertTrue(svg.contains(words), words);
        }
    }

    private record Ended(int code, String err) {
    }

    private static Ended brigade(String... words) {
        StringWriter err = new StringWriter();
        CommandLine line = Brigade.commandLine();
        line.setErr(new PrintWriter(err));
        return new Ended(line.execute(words), err.toString());
    }

    @Test
    void optionsThatDoNotGoTogetherAreRefused() {
        assertTrue(brigade("bench", "--sockets", "1gbit").err().contains("give --nodes 2 or more"));
        assertTrue(brigade("bench", "--nodes", "2", "--fabric", "sisci", "--ops", "latency").err()
            .contains("'latency' is not measured with --metrics nccl"));
        assertTrue(brigade("bench", "--metrics", "nccl", "--space", "device").err().contains("host memory"));
        assertTrue(brigade("bench", "--metrics", "nccl", "--from", "a.csv").err().contains("--picture"));
    }

    @Test
    void whatSocketsNeedAndIsNotThereIsNamed() throws IOException {
        assertTrue(SocketsPeer.complaint("/nowhere", null, "1gbit").contains("needs bin/cluster"));
        Path script = Files.createFile(Files.createDirectories(folder.resolve("bin")).resolve("cluster"));
        assertTrue(script.toFile().setExecutable(true));
        assertTrue(SocketsPeer.complaint("/nowhere", folder.toString(), "1gbit")
            .contains("needs mpicc on the PATH; install it"));
        assertTrue(SocketsPeer.complaint("/bin", folder.toString(), "fast").contains("as in --sockets 1gbit"));
    }
}

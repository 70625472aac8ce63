package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.brigade.cli.shared.CollectiveName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

@Tag("once")
class SimulateCommandTest {
    private static Ended run(String line) {
        return Ended.brigade(("simulate " + line).trim().split(" "));
    }

    @Test
    void csvHasAHeaderAndARowForEachAlgorithm() {
        Ended ended = run("bcast --topology ideal:8 --bytes 64K --chunk 8K --csv");
        assertEquals(0, ended.code(), ended.err());
        String[] lines = ended.out().split("\\R");
        assertEquals(
            "operation,topology,ranks,bytes,algorithm,chunk,radix,microseconds,bus_gbps,messages,busiest,busiest_share",
            lines[0]);
        // Equation (1): 7 (2 us + 64 KiB / 6.8 GB/s), all of it on the port of rank 0.
        assertEquals("bcast,ideal:8,8,65536,direct,,,81.464,0.804,7,rank0 out,1.0000", lines[1]);
        assertTrue(ended.out().contains("\nbcast,ideal:8,8,65536,pipelined-chain,8192,,"), ended.out());
        for (String line : lines) {
            assertEquals(12, line.split(",", -1).length, line);
        }
        assertEquals(ended.out(), run("bcast --topology ideal:8 --bytes 64K --chunk 8K --csv").out(),
            "the same question, the same answer");
    }

    @Test
    void aTableSaysWhatWasAskedAndWhatIsBusiest() {
        Ended ended = run("allreduce --topology fat-tree:16:4 --algorithm segmented-ring --bytes 1M");
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().startsWith("allreduce, 16 ranks on fat-tree:16:4, 1 MiB\nalgorithm "), ended.out());
        assertTrue(ended.out().contains("segmented-ring, chunk 64 KiB "), ended.out());
        assertTrue(ended.out().contains("host") && ended.out().stripTrailing().endsWith(" %"), ended.out());
    }

    @Test
    void straightLineCodeIsSimulatedByItsOwnOperations() {
        Ended ended = run("allreduce --topology ideal:4 --algorithm movement-avoiding --bytes 1M");
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().contains("\nmovement-avoiding "), ended.out());
        Ended measured = run("bcast --topology host-2core --bytes 1M");
        assertTrue(measured.out().contains("\ncopy-in-copy-out ") && measured.out().contains("\ndirect "),
            measured.out());
    }

    @Test
    void nothingIsSimulatedInMemoryThatNobodyMeasured() {
        Ended ended = run("allreduce --topology dgx-h100:host --ranks 8 --algorithm movement-avoiding --bytes 1M");
        assertEquals(2, ended.code(), ended.out());
        assertTrue(ended.err().contains("nothing was measured of that there"), ended.err());
        Ended messages = run("allreduce --topology fat-tree:4 --algorithm fused-flat --bytes 1K");
        assertEquals(0, messages.code(), messages.err());
        assertTrue(messages.err().contains("sends the messages of a schedule, which is simulated: direct-exchange"),
            messages.err());
        Ended multicast = run("bcast --topology ideal:4 --algorithm reflective-memory --bytes 1K");
        assertEquals(2, multicast.code(), multicast.out());
        assertTrue(multicast.err().contains("has neither a schedule nor code"), multicast.err());
    }

    @Test
    void ringsFollowAProfile(@TempDir Path folder) {
        Path profile = folder.resolve("intel.xml");
        assertEquals(0, Ended.brigade("profile", "--machine", "intel-v100", "--out", profile.toString()).code());
        String call = "allreduce --topology intel-v100 --ranks 4 --algorithm ring --bytes 256M";
        assertTrue(run(call).out().contains(" 9.984 "), "by what a search finds");
        assertTrue(run(call + " --profile none").out().contains(" 2.000 "), "rank order, by the machine's own policy");
        Ended ended = run(call + " --profile " + profile);
        assertTrue(ended.out().contains(" 9.984 "), ended::out);
        assertTrue(run("allreduce --topology rx1 --profile " + profile).err().contains("a profile of 4 GPUs"));
        assertTrue(run("allreduce --topology ideal:4 --profile " + profile).err().contains("name a machine"));
        Ended explained = Ended.brigade("explain", "allreduce", "--ranks", "4", "--bytes", "256M", "--space", "device",
            "--profile", profile.toString());
        assertTrue(explained.out().contains(
            "rank 1 to 2: a bounce buffer in memory 0 was the fastest; kernels store directly\n"), explained::out);
        assertTrue(explained.out().contains("rank 0 to 1: a direct write\n"), explained::out);
        assertTrue(Ended.brigade("explain", "allreduce", "--ranks", "5", "--profile", profile.toString()).err()
            .contains("fewer --ranks"));
    }

    @Test
    void ranksCanBePlacedInAnotherWay() {
        String call = "bcast --topology rx3 --algorithm pipelined-chain --bytes 1M --chunk 128K";
        String blocks = run(call + " --csv").out().lines().skip(1).findFirst().orElseThrow();
        assertEquals(blocks, run(call + " --csv --placement cyclic").out().lines().skip(1).findFirst().orElseThrow(),
            "node after node all the same");
        assertTrue(run(call + " --placement cyclic --in-rank-order").out().contains(" 1534.167 "));
        assertTrue(run("bcast --topology ideal:4 --placement cyclic").err().contains("has one rank a node"));
        assertTrue(run(call + " --placement missing.txt").err().contains("missing.txt"));
    }

    @Test
    void everyCollectiveCanBeSimulated() {
        for (String collective : new CollectiveName()) {
            for (String topology : new String[] {"ideal:5", "fat-tree:5:2:4 --ranks 4 --eager 64K"}) {
                Ended ended = run(collective + " --topology " + topology + " --bytes 10000");
                assertEquals(0, ended.code(), () -> collective + ": " + ended.err());
                assertTrue(ended.out().lines().count() > 2, () -> collective + ": " + ended.out());
            }
        }
    }

    @Test
    void whatWouldTakeMinutesIsLeftOutUnlessItIsNamed() {
        Ended ended = run("bcast --topology fat-tree:8000 --bytes 8");
        assertEquals(0, ended.code(), ended.err());
        assertEquals(
            "scatter-allgather is left out: its 6e+07 messages would take long; name it with --algorithm to include it",
            ended.err().strip());
        assertTrue(ended.out().contains("\nbinomial ") && !ended.out().contains("scatter-allgather"), ended.out());
    }

    @Test
    void aTimelineIsWellFormedAndTheSameEachTime(@TempDir Path folder) throws Exception {
        Path one = folder.resolve("one.svg");
        Path two = folder.resolve("two.svg");
        String line = "bcast --topology fat-tree:64:4:8 --algorithm scatter-allgather --bytes 1M --timeline ";
        assertEquals(0, run(line + one).code());
        assertEquals(0, run(line + two).code());
        String text = Files.readString(one);
        assertEquals(text, Files.readString(two));
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
        assertTrue(
            text.contains("host0 &gt; leaf0")
                && text.contains("bcast, scatter-allgather, 64 ranks on fat-tree:64:4:8, 1 MiB"),
            text.substring(0, 2000));
        assertTrue(text.length() < 1 << 20, text.length() + " characters");
    }

    @Test
    void aTimelineThatCannotBeWrittenIsAnError(@TempDir Path folder) throws IOException {
        Ended ended = run("bcast --topology ideal:2 --algorithm chain --timeline " + folder.resolve("missing/one.svg"));
        assertEquals(1, ended.code());
        assertTrue(ended.err().contains("cannot be written"), ended.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"bcast | name a collective and a --topology, as in",
        "--topology ideal:4 | name a collective",
        "bcast --topology hypercube | there is no topology 'hypercube'; name one of ideal:RANKS",
        "bcast --topology ideal:4 --algorithm quick | is called 'quick'; there are: fused-flat, direct, ",
        "bcast --topology ideal:4 --ranks 5 | --ranks must be 1 to 4, the places that ideal:4 has",
        "bcast --topology ideal:4 --root 4 | --root must be 0 to 3",
        "allgather --topology ideal:6 --algorithm recursive-doubling | needs a power of two ranks, and this call has 6"
            + " ranks",
        "bcast --topology ideal:4 --bytes x | --bytes': 'x' is no number of bytes",
        "bcast --topology ideal:4 --radix 1 | --radix must be 2 or more",
        "bcast --topology ideal:4 --timeline x.svg | name it with --algorithm",
        "broadcast --topology ideal:4 | is no collective",
        "bcast --topology ideal:4 --picture x.svg | --picture is for --paper",
        "bcast --paper | --paper replaces a collective",
        "bcast --topology fat-tree:8:0 | '''0'' is no ratio from 1 to 1024'",
        "bcast --topology topo.xml | brigade info --from topo.xml --topology here.machine"})
    void aWrongLineExits2WithASentence(String line, String expected) {
        Ended ended = run(line);
        assertEquals(2, ended.code(), ended.out());
        assertTrue(ended.err().contains(expected), ended.err());
        assertEquals(2, ended.err().lines().count(),
            "the sentence and where to find more, not a page of usage: " + ended.err());
    }

    @Test
    void filesThatCannotBeWrittenAreSaidBeforeAnythingRuns(@TempDir Path folder) {
        for (String line : new String[] {"--paper --picture " + folder.resolve("missing/one.svg"),
            "--paper --picture " + folder, "bcast --topology ideal:2 --algorithm chain --timeline " + folder}) {
            Ended ended = run(line);
            assertEquals(1, ended.code(), line);
            assertEquals("", ended.out(), line);
            assertTrue(ended.err().contains("cannot be written; name a file in an existing directory"),
                ended.err());
        }
    }

    @Test
    void theHelpNamesTheMachines() {
        assertTrue(run("--help").out().replaceAll("\\s+", " ").contains("One of rx1, rx2, rx3, cs-storm"),
            run("--help").out());
    }
}

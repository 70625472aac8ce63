package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.brigade.topology.nccl.NcclXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code brigade info} with topologies. */
class TopologyInfoTest {
    private static final String TWO_GPUS = """
        <system version="1" name="two">
          <cpu numaid="0" arch="x86_64" vendor="AuthenticAMD" familyid="175" modelid="1">
            <pci busid="0000:01:00.0" class="0x030200" link_speed="16 GT/s" link_width="16"><gpu dev="0" sm="80"><nvlink target="0000:02:00.0" count="4" tclass="0x0302"/></gpu></pci>
            <pci busid="0000:02:00.0" class="0x030200" link_speed="16 GT/s" link_width="16"><gpu dev="1" sm="80"><nvlink target="0000:03:00.0" count="4" tclass="0x0302"/></gpu></pci>
          </cpu>
        </system>
        """;

    @TempDir
    private Path folder;

    private static Ended run(Object... words) {
        return Ended.brigade(Arrays.stream(words).map(Object::toString).toArray(String[]::new));
    }

    @Test
    void thisMachineIsDrawnAndWritten() throws IOException {
        Path svg = folder.resolve("here.svg");
        Path xml = folder.resolve("here.xml");
        Ended drawn = run("info", "--topology", svg);
        assertEquals(0, drawn.code(), drawn.err());
        assertTrue(drawn.out().contains("written to " + svg), drawn.out());
        assertTrue(drawn.out().lines().anyMatch(line -> line.startsWith("topology  ") && line.contains("CPU")),
            drawn.out());
        assertTrue(drawn.out().lines()
            .anyMatch(line -> line.startsWith("this process") && line.contains("may run on processors ")), drawn.out());
        assertTrue(drawn.out().lines().anyMatch(line -> line.startsWith("binding ") && line.contains(" at most ")),
            drawn.out());
        assertTrue(Files.readString(svg).startsWith("<svg "));
        assertEquals(0, run("info", "--topology", xml).code());
        assertEquals("system", NcclXml.read(xml).name());
        assertEquals(0, run("info", "--from", xml, "--topology", svg).code());
    }

    @Test
    void anNcclFileIsToldDrawnAndWrittenAgain() throws IOException {
        Path file = Files.writeString(folder.resolve("two.xml"), TWO_GPUS);
        Path svg = folder.resolve("two.svg");
        Path again = folder.resolve("again.xml");
        Ended ended = run("info", "--from", file, "--topology", svg);
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().startsWith("topology         1 CPU, 2 GPUs\n"), ended.out());
        assertTrue(
            ended.out().contains("PCIe cpu - gpu 24 GB/s x 2") && ended.out().contains("NVLink gpu - gpu 80 GB/s\n"),
            ended.out());
        assertTrue(ended.out().contains("note: " + file + " line 4: a link to 0000:03:00.0, where the file has no GPU"),
            ended.out());
        assertTrue(Files.readString(svg).contains("80 GB/s"));
        assertEquals(0, run("info", "--from", file, "--topology", again).code());
        assertEquals(NcclXml.read(file), NcclXml.read(again));
    }

    @Test
    void aKnownMachineIsDrawn() throws IOException {
        Path svg = folder.resolve("rx1.svg");
        Ended ended = run("info", "--from", "rx1", "--topology", svg);
        assertEquals(0, ended.code(), ended.err());
        assertTrue(ended.out().startsWith("topology         8 nodes, 16 CPUs, 32 PCIe switches, 64 GPUs, 16 NICs"),
            ended.out());
        assertTrue(Files.readString(svg).contains("node0 and 7 alike"));
    }

    @Test
    void whatWasReadCanBeSimulatedOnAsManyNodes() throws IOException {
        Path file = Files.writeString(folder.resolve("two.xml"),
            TWO_GPUS.replace("</cpu>", "<nic><net name=\"eth0\" dev=\"0\" speed=\"100000\"/></nic></cpu>"));
        Path machine = folder.resolve("two.machine");
        Ended written = run("info", "--from", file, "--topology", machine, "--nodes", 3);
        assertEquals(0, written.code(), written.err());
        Ended simulated = run("simulate", "bcast", "--topology", machine, "--algorithm", "chain", "--bytes", "1M");
        assertEquals(0, simulated.code(), simulated.err());
        assertTrue(simulated.out().startsWith("bcast, 6 ranks on " + machine), simulated.out());
        assertEquals(2, run("info", "--nodes", 0).code());
    }

    @Test
    void mistakesAreOneSentenceWithTheCure() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.xml"), "<system version=\"1\">\n<cpu/></system>");
        String[][] cases = {
            {"brigade info: " + folder.resolve("none.xml") + ": there is no such file; check the path", "--from",
                folder.resolve("none.xml").toString()},
            {"brigade info: " + broken + " line 2: <cpu> has no numaid", "--from", broken.toString()},
            {"brigade info: --from nowhere: there is no machine", "--from", "nowhere"},
            {"brigade info: --topology x.png: a picture ends in .svg, NCCL's format in .xml, a machine to simulate in"
                + " .machine",
                "--from", "rx1", "--topology", "x.png"},
            {"brigade info: --topology " + folder.resolve("m.xml") + ": a machine's file says more", "--from", "rx1",
                "--topology", folder.resolve("m.xml").toString()},
            {"brigade info: --topology " + folder.resolve("no/x.svg") + ": cannot be written", "--from", "rx1",
                "--topology", folder.resolve("no/x.svg").toString()}};
        for (String[] wrong : cases) {
            Object[] words = new Object[wrong.length];
            words[0] = "info";
            System.arraycopy(wrong, 1, words, 1, wrong.length - 1);
            Ended ended = run(words);
            assertEquals(1, ended.code(), ended.err());
            assertTrue(ended.err().startsWith(wrong[0]), ended.err());
            assertEquals(1, ended.err().lines().count(), ended.err());
        }
    }
}

package org.brigade.topology.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.brigade.topology.figure.Dimension;
import org.brigade.topology.figure.Figure;
import org.brigade.topology.figure.Limit;
import org.brigade.topology.figure.MachineFormatException;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineReaderTest {
    /** A machine with all kinds of lines; line numbers below count from the first of them. */
    private static final String GOOD = """
        machine small "two nodes"
        figure n 2 count "a test"
        figure fast 10 GB/s "a test"
        figure slow 800 Mbit/s estimate "a test"
        figure soon 2 us "a test"
        figure little 4 KiB "a test"
        figure part 0.5 ratio "a test"
        node
          cpu cpu0..1
          link cpu cpu0 cpu1 rate fast latency soon
          memory mem0..1 under cpu0..1 rate fast latency soon
          gpu gpu0..3 under cpu0..1 rate fast back slow latency soon
          nic nic0 under cpu0 rate fast half latency soon
        end
        nodes n
        network switch of nic rate fast latency soon
        peer cpu each slow
        gpudirect read cpu shared slow
        gpudirect write cpu free
        stage receiver
        adapters n
        transfer peer up-to little startup soon latency soon
        transfer peer startup soon latency soon most slow
        transfer staged startup soon latency soon
        transfer device-net startup soon latency soon
        transfer device-net-staged startup soon latency soon
        transfer host startup soon latency soon
        transfer host-net startup soon latency soon
        local gpu copy fast startup soon reduce fast startup soon
        local core copy fast startup soon reduce fast startup soon
        congestion own-read-far-write part
        congestion crowded-memory above n part
        """;

    private static Machine read(String text) {
        return MachineReader.read("small.machine", text);
    }

    private static MachineFormatException refused(String text) {
        return assertThrows(MachineFormatException.class, () -> read(text), text);
    }

    @Test
    void aFileSaysWhatTheMachineIs() {
        Machine machine = read(GOOD);
        Topology topology = machine.topology();
        assertEquals(2, topology.nodes());
        assertEquals(8, topology.of(ComponentKind.GPU).size());
        assertEquals(List.of("gpu0", "gpu1", "gpu2", "gpu3"),
            topology.of(ComponentKind.GPU, 1).stream().map(Component::name).toList());
        assertEquals(9, machine.componentsPerNode());
        assertEquals(8, machine.linksPerNode());
        assertEquals(2 * 9 + 1, topology.components().size());
        TopologyLink gpu = topology.link(machine.linksPerNode() + 3);
        assertEquals("node1/gpu0", topology.component(gpu.a()).path());
        assertEquals("node1/cpu0", topology.component(gpu.b()).path());
        assertEquals(10e9, gpu.forward());
        assertEquals(0.1e9, gpu.backward());
        assertEquals(2e-6, gpu.latency());
        assertTrue(topology.link(1).halfDuplex(), "memories share reading and writing");
        assertTrue(topology.link(7).halfDuplex(), "the adapter was said to be");
        TransferPolicy policy = machine.policy();
        assertEquals(new Limit(0.1e9, false), policy.peers().get(Distance.CPU));
        assertEquals(new Limit(0.1e9, true), policy.reads().get(Distance.CPU));
        assertEquals(Limit.FREE, policy.writes().get(Distance.CPU));
        assertEquals(2, policy.adapters());
        assertEquals(List.of(new TransferCost(4096, 2e-6, 2e-6, Double.POSITIVE_INFINITY),
            new TransferCost(Long.MAX_VALUE, 2e-6, 2e-6, 0.1e9)), policy.costs().get(TransferKind.PEER));
        assertEquals(new LocalWork(10e9, 2e-6, 10e9, 2e-6), policy.local().get(ComponentKind.GPU));
        assertEquals(List.of(new OwnReadFarWrite(0.5), new CrowdedMemory(2, 0.5)), machine.patterns());
        assertEquals(new Figure("slow", 0.1e9, Dimension.RATE, "800 Mbit/s", true, "a test", 4),
            machine.figures().get("slow"));
    }

    /** Users copy it. */
    @Test
    void theExampleOfTheDocumentationReads() throws java.io.IOException {
        java.nio.file.Path root = java.nio.file.Path.of("").toAbsolutePath();
        while (!java.nio.file.Files.isDirectory(root.resolve("collectives"))) {
            root = root.getParent();
        }
        String page = java.nio.file.Files.readString(root.resolve("docs/machines.md"));
        int begin = page.indexOf("    machine small");
        Machine machine = read(page.substring(begin, page.indexOf("\n- **Units**", begin)));
        assertEquals(4, machine.topology().of(ComponentKind.GPU).size());
        for (String name : Machines.names()) {
            assertTrue(page.contains("`" + name + "`"), name + " is not in the table");
        }
    }

    @Test
    void componentsBelongToTheirCpu() {
        Machine machine = read(GOOD);
        Topology topology = machine.topology();
        assertEquals("node1/mem1",
            topology.component(machine.locality().memoryOf(topology.of(ComponentKind.GPU, 1).get(2).id())).path());
        assertEquals("node0/cpu0",
            topology.component(machine.locality().cpuOf(topology.of(ComponentKind.NIC, 0).get(0).id())).path());
    }

    @Test
    void aFigureMayBeChangedForASweep() {
        Machine changed = read(GOOD).with("slow", 3e9);
        assertEquals(new Limit(3e9, false), changed.policy().peers().get(Distance.CPU));
        assertTrue(changed.figures().get("slow").source().contains("changed"));
        assertEquals(3, changed.with("n", 3).topology().nodes());
        MachineFormatException missing = assertThrows(MachineFormatException.class, () -> changed.with("slwo", 1));
        assertTrue(missing.getMessage().contains("slwo") && missing.getMessage().contains("slow"),
            missing.getMessage());
        assertThrows(MachineFormatException.class, () -> changed.with("slow", Double.NaN));
        assertThrows(MachineFormatException.class, () -> changed.with("n", 1e9));
    }

    /** Line, what it is replaced by (| separates lines), and a part of the complaint and of the cure. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
        "1; figure n 2 count \"a\"; begins with \"figure\"; begin with: machine NAME",
        "1; machine Small \"x\"; is no name; small letters",
        "1; machine small; the line ends where description; in quotation marks",
        "2; figure n 2 count; has no source; say in quotation marks where 2 count comes from",
        "2; figure n 2 count \" \"; hold no source; write one",
        "2; figure n 2 count \"a test; does not end; close it",
        "2; figure n two count \"a test\"; is no number; write digits",
        "2; figure n 1e9 count \"a test\"; is no number; write digits",
        "2; figure n 2.5 count \"a test\"; counts 2.5; a whole number",
        "2; figure n 99999999 count \"a test\"; is not between; check the number",
        "2; figure n 0 count \"a test\"; is not between; check the number",
        "2; figure n 123456789012345678901234567890 count \"a test\"; is no number; write digits",
        "2; figure n 2 apples \"a test\"; is no unit; GB/s, MB/s, Gbit/s or Mbit/s",
        "2; figure n 2 count \"a test\" more; one word too many; remove it",
        "3; figure n 10 GB/s \"a test\"; is already on line 2; another name",
        "3; figure fast 0 GB/s \"a test\"; is not between; check the number",
        "3; figure fast 99999999 GB/s \"a test\"; is not between; check the number",
        "5; figure soon 20 s \"a test\"; is not between; check the number",
        "8; figure unused 1 us \"a test\"|node; nothing refers to figure unused; use it",
        "9; cpu cpu0..99999; is no range; write gpu0..7",
        "9; cpu cpu0..9999; more than 4096 components; model fewer",
        "9; cpu cpu7..0; is no range; write gpu0..7",
        "9; cpu cpu..; is no range; write gpu0..7",
        "9; dpu dpu0; is no part of a node; write core, cache",
        "9; node; is no part of a node; \"end\" ends the node",
        "10; link cpu cpu0 cpu0 rate fast latency soon; linked to itself; name two",
        "10; link cpu cpu0 cpu5 rate fast latency soon; there is no cpu5 above; of an earlier line",
        "10; link network cpu0 cpu1 rate fast latency soon; is no kind of link; write chip",
        "10; link cpu cpu0 cpu1 rate 10 latency soon; \"10\" is a number without a source; declare it before",
        "10; link cpu cpu0 cpu1 rate soon latency soon; figure soon is a time; name another",
        "10; link cpu cpu0 cpu1 rate quick latency soon; no figure \"quick\" above; declare it before",
        "10; link cpu cpu0 cpu1 latency soon; where \"rate\" should be; write the word",
        "10; link cpu cpu0 cpu1 rate fast back slow half latency soon; half-duplex link with two rates; leave out",
        "11; memory mem0 under cpu0..1 rate fast latency soon; 1 under 2; have as many",
        "11; memory cpu0 under cpu1 rate fast latency soon; is already there; another name",
        "12; gpu gpu0..3 under gpu1 rate fast latency soon; there is no gpu1 above; of an earlier line",
        "14; ; is no part of a node; \"end\" ends the node",
        "15; node|end; a second node; describe one",
        "15; nodes n|nodes n; a second line \"nodes\"; remove one",
        "16; network ring of nic rate fast latency soon; is no shape; write switch",
        "16; network switch of gpu rate fast latency soon; is no kind of adapter; write nic or ntb",
        "16; network switch of ntb rate fast latency soon; that no node has; give the node one",
        "17; peer nowhere free; is no distance; nvlink, switch, cpu, node",
        "17; peer cpu some slow; where each or shared should be; write one",
        "17; peer cpu free|peer cpu free; a line for cpu already; remove one",
        "18; gpudirect read nvlink free; is no distance; switch, cpu, node",
        "20; stage nobody; where sender or receiver should be; write one",
        "23; transfer peer up-to little startup soon latency soon; holds for these sizes already; order the lines",
        "22; transfer pear startup soon latency soon; is no kind of transfer; host, peer, staged",
        "31; congestion own-read-far-write n; figure n is a count; name another",
        "31; congestion weather part; where own-read-far-write or crowded-memory; write one",
        "31; conjestion own-read-far-write part; no line of a machine file begins with; write machine, figure",
    })
    void whatIsWrongIsToldWithItsLineAndACure(int line, String replacement, String complaint, String cure) {
        String[] lines = GOOD.split("\n");
        lines[line - 1] = replacement == null ? "" : replacement.replace('|', '\n');
        MachineFormatException refused = refused(String.join("\n", lines));
        assertTrue(refused.getMessage().contains(complaint), refused.getMessage() + " should say: " + complaint);
        assertTrue(refused.getMessage().contains(cure), refused.getMessage() + " should advise: " + cure);
        assertTrue(refused.getMessage().startsWith("small.machine:" + refused.line() + ": "), refused.getMessage());
        assertTrue(refused.line() == line || refused.line() == line + 1,
            refused.getMessage() + " should be about line " + line);
    }

    /** Without these the machine could not be simulated; nothing in the file is wrong, so the last line is named. */
    @ParameterizedTest
    @CsvSource({"24, staged", "25, device-net", "26, device-net-staged", "27, host", "28, host-net", "29, local gpu",
        "30, local core", "23, without"})
    void whatIsMissingIsNamed(int line, String missing) {
        String[] lines = GOOD.split("\n");
        lines[line - 1] = "";
        MachineFormatException refused = refused(String.join("\n", lines));
        assertTrue(refused.getMessage().contains(missing) && refused.getMessage().contains("add "),
            refused.getMessage());
    }

    @Test
    void everyFileThatEndsTooEarlyIsRefused() {
        String[] lines = GOOD.split("\n");
        StringBuilder text = new StringBuilder();
        for (int kept = 0; kept < 30; kept++) {
            refused(text.toString());
            text.append(lines[kept]).append('\n');
        }
        MachineFormatException inNode = refused(GOOD.substring(0, GOOD.indexOf("end\n")));
        assertTrue(
            inNode.getMessage().contains("the node that begins on line 8") && inNode.getMessage().contains("\"end\""),
            inNode.getMessage());
    }

    @Test
    void partsThatNothingReachesAreRefused() {
        assertTrue(refused(GOOD.replace("  nic nic0", "  gpu lonely\n  nic nic0")).getMessage()
            .contains("nothing links node0/lonely"));
        assertTrue(refused(GOOD.replace("  link cpu cpu0 cpu1 rate fast latency soon\n", "")).getMessage()
            .contains("nothing links node0/cpu1"));
        assertTrue(refused(GOOD.replace("  nic nic0", "  gpu behind under gpu0 rate fast latency soon\n  nic nic0"))
            .getMessage().contains("lead through devices"));
        assertTrue(refused(GOOD.replace("memory mem0..1 under cpu0..1", "memory mem0 under cpu0")).getMessage()
            .contains("has no host memory near it"));
    }

    @Test
    void sizesAreBoundedBeforeAnythingIsBuilt() {
        assertTrue(refused(GOOD.replace("figure n 2 count", "figure n 1000000 count")).getMessage()
            .contains("more than 400000"));
        assertTrue(refused("x".repeat(2 << 20)).getMessage().contains("at most"));
        assertTrue(refused("machine a \"" + "b".repeat(5000) + "\"").getMessage().contains("at most 2000"));
        StringBuilder figures = new StringBuilder("machine a \"b\"\n");
        for (int i = 0; i < 1001; i++) {
            figures.append("figure f").append(i).append(" 1 us \"c\"\n");
        }
        assertEquals(1002, refused(figures.toString()).line());
        String mesh = GOOD.replace("  nic nic0",
            "  core a0..200 under cpu0 rate fast latency soon\n  core b0..200 under cpu0 rate fast latency soon\n"
                + "  link chip a0..200 b0..200 rate fast latency soon\n  nic nic0");
        assertTrue(refused(mesh).getMessage().contains("more than 16384 links"));
        String tree = GOOD
            .replace("network switch of nic", "network fat-tree of nic leaf one spines many oversubscription part")
            .replace("figure n 2 count", "figure one 1 count \"c\"\nfigure many 1000000 count \"c\"\nfigure n 2 count");
        assertTrue(refused(tree).getMessage().contains("links"), "2 leaves x 1000000 spines");
        assertTrue(refused(GOOD + "transfer host startup soon latency soon\n").getMessage().contains("already"));
    }

    /** Lines, words and letters changed at random: read or refused with a line, and never anything else. */
    @Test
    void noDamageCausesAnythingButAClearError() {
        Random random = new Random(4);
        String letters = "abcz019.-\"# \n\t\0ÿgpu..";
        for (int i = 0; i < 20000; i++) {
            StringBuilder text = new StringBuilder(GOOD);
            for (int change = random.nextInt(4); change >= 0; change--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.setCharAt(at, letters.charAt(random.nextInt(letters.length())));
                    case 1 -> text.delete(at, Math.min(text.length(), at + random.nextInt(30)));
                    default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(60))));
                }
            }
            try {
                read(text.toString());
            } catch (MachineFormatException refused) {
                assertTrue(refused.line() >= 1 && refused.line() <= text.toString().split("\n", -1).length,
                    refused.getMessage());
            }
        }
    }
}

package org.brigade.topology.nccl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;
import org.brigade.topology.xml.XmlNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes of topology files: the thesis' listing 4.7, and files in the shape of public ones. */
class NcclTopologyTest {
    static NcclTopology resource(String name) {
        InputStream in = NcclTopologyTest.class.getResourceAsStream(name);
        assertNotNull(in, name);
        return NcclTopology.read(in, name);
    }

    static NcclTopology text(String xml) {
        return NcclTopology.read(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)), "t.xml");
    }

    /** One GPU under one CPU, with these attributes of its pci element. */
    private static NcclTopology gpuBehind(String link) {
        return text(
            "<system version=\"1\"><cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\"><pci"
                + " busid=\"0000:01:00.0\" class=\"0x030200\" "
                + link
                + "><gpu dev=\"0\" sm=\"80\" rank=\"0\" gdr=\"1\"/></pci></cpu></system>");
    }

    static Component named(Topology topology, String path) {
        for (Component component : topology.components()) {
            if (component.path().equals(path)) {
                return component;
            }
        }
        throw new AssertionError("no " + path + " in " + topology.components());
    }

    static TopologyLink between(Topology topology, LinkKind kind, String a, String b) {
        int from = named(topology, a).id();
        int to = named(topology, b).id();
        for (int id : topology.linksOf(from)) {
            TopologyLink link = topology.link(id);
            if (link.kind() == kind && link.other(from) == to) {
                return link;
            }
        }
        return null;
    }

    private static double gigabytes(Topology topology, LinkKind kind, String a, String b) {
        TopologyLink link = between(topology, kind, a, b);
        assertNotNull(link, "no " + kind.word() + " link from " + a + " to " + b + " in " + topology.links());
        return Math.round(link.rateFrom(named(topology, a).id()) / 1e7) / 100.0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"k2200-dolphin.xml", "stub-8gpu.xml", "dump-8h100.xml", "ac922.xml", "rccl-4gpu.xml"})
    void whatIsWrittenReadsAsWhatWasRead(String name) throws IOException {
        XmlNode document = resource(name).document();
        String written = NcclXml.write(document);
        assertEquals(document, NcclXml.read(new ByteArrayInputStream(written.getBytes(StandardCharsets.UTF_8)), name));
        String file =
            new String(NcclTopologyTest.class.getResourceAsStream(name).readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(file.replaceAll(" *<!--[^>]*-->", "").replaceAll("(?m)^\n", ""), written,
            "the text differs in more than comments");
    }

    @Test
    void theThesisListingHasTwoGpusAndADolphinAdapterBehindAGen3Bridge() {
        Topology topology = resource("k2200-dolphin.xml").topology();
        assertEquals(4, topology.components().size(), topology.components().toString());
        assertEquals(2, topology.of(ComponentKind.GPU).size());
        for (Component gpu : topology.of(ComponentKind.GPU)) {
            assertEquals("50", gpu.attributes().get("sm"));
            assertEquals(1.5, gigabytes(topology, LinkKind.PCI, gpu.path(), "node0/cpu0"), "Gen2 x4");
        }
        Component adapter = topology.of(ComponentKind.NTB).get(0);
        assertEquals("sisci_adapter_0_node_4", adapter.attributes().get("name"));
        assertEquals("63040", adapter.attributes().get("speed"));
        assertEquals("0000:01:00.0", adapter.attributes().get("bridges"));
        assertEquals(6, gigabytes(topology, LinkKind.PCI, "node0/ntb0", "node0/cpu0"), "Gen3 x8");
        assertEquals("-1", named(topology, "node0/cpu0").attributes().get("numa"));
    }

    @Test
    void inAStubTheClassSaysWhatIsGpuAndWhatIsNic() {
        Topology topology = resource("stub-8gpu.xml").topology();
        assertEquals("stub-8gpu", topology.name());
        assertEquals(List.of(2, 4, 8, 4),
            List.of(topology.of(ComponentKind.CPU).size(), topology.of(ComponentKind.PCI_SWITCH).size(),
                topology.of(ComponentKind.GPU).size(), topology.of(ComponentKind.NIC).size()));
        assertEquals(12, gigabytes(topology, LinkKind.PCI, "node0/gpu7", "node0/pci3"));
        assertEquals(10, gigabytes(topology, LinkKind.CPU, "node0/cpu0", "node0/cpu1"), "Skylake");
        assertEquals("0-15,32-47", named(topology, "node0/cpu0").attributes().get("cpus"));
    }

    @Test
    void gpusAndAdaptersAreKnownByTheirClassOnlyWhereNoneIsNamed() {
        String two =
            "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\"><pci busid=\"0000:01:00.0\""
                + " class=\"0x030200\">%s</pci>"
                + "<pci busid=\"0000:02:00.0\" class=\"0x030200\"/><pci busid=\"0000:03:00.0\""
                + " class=\"0x020000\"/></cpu></system>";
        assertEquals(2, text(String.format(two, "")).topology().of(ComponentKind.GPU).size());
        Topology named = text(String.format(two, "<gpu dev=\"0\"/>")).topology();
        assertEquals(1, named.of(ComponentKind.GPU).size(), "a dump has all that NCCL uses");
        assertEquals(1, named.of(ComponentKind.NIC).size());
    }

    @Test
    void anH100DumpHasEighteenNvLinksAGpuToOneSwitchAndTwoPortsAnAdapter() {
        Topology topology = resource("dump-8h100.xml").topology();
        assertEquals(1, topology.of(ComponentKind.NVSWITCH).size());
        assertEquals("0000:03:00.0 0000:02:00.0 0000:01:00.0 0000:04:00.0",
            named(topology, "node0/nvswitch0").attributes().get("busids"));
        for (int gpu = 0; gpu < 8; gpu++) {
            assertEquals(18 * 20.6, gigabytes(topology, LinkKind.NVLINK, "node0/gpu" + gpu, "node0/nvswitch0"), 0.01);
            assertEquals(48, gigabytes(topology, LinkKind.PCI, "node0/gpu" + gpu, "node0/pci" + gpu));
            assertEquals("mlx5_" + 2 * gpu + " mlx5_" + (2 * gpu + 1),
                named(topology, "node0/nic" + gpu).attributes().get("name"));
            assertEquals("400000", named(topology, "node0/nic" + gpu).attributes().get("speed"));
        }
        assertEquals(22, gigabytes(topology, LinkKind.CPU, "node0/cpu0", "node0/cpu1"), "Sapphire Rapids");
        assertEquals(8, topology.of(ComponentKind.PCI_SWITCH).size(), "each switch's second level is part of it");
    }

    @Test
    void anAc922HasNvLinksToPeersAndToItsCpu() {
        Topology topology = resource("ac922.xml").topology();
        assertEquals(60, gigabytes(topology, LinkKind.NVLINK, "node0/gpu0", "node0/gpu1"));
        assertEquals(60, gigabytes(topology, LinkKind.NVLINK, "node0/gpu1", "node0/cpu0"));
        assertEquals(60, gigabytes(topology, LinkKind.NVLINK, "node0/gpu2", "node0/cpu8"));
        assertNull(between(topology, LinkKind.NVLINK, "node0/gpu0", "node0/gpu2"));
        assertEquals(32, gigabytes(topology, LinkKind.CPU, "node0/cpu0", "node0/cpu8"));
        assertEquals(1.5, gigabytes(topology, LinkKind.PCI, "node0/gpu3", "node0/cpu8"),
            "the GPUs' PCI link is Gen3 x2");
    }

    @Test
    void rcclFilesHaveXgmiAndAmdsClasses() {
        Topology topology = resource("rccl-4gpu.xml").topology();
        assertEquals(4, topology.of(ComponentKind.GPU).size());
        assertEquals(72, gigabytes(topology, LinkKind.NVLINK, "node0/gpu0", "node0/gpu1"));
        assertEquals(36, gigabytes(topology, LinkKind.NVLINK, "node0/gpu0", "node0/gpu3"));
        assertEquals(16, gigabytes(topology, LinkKind.CPU, "node0/cpu0", "node0/cpu1"));
        Component ethernet = named(topology, "node0/nic0");
        assertEquals("10000", ethernet.attributes().get("speed"), "an adapter of speed -1 counts as 10 Gbit/s");
        assertEquals("1", ethernet.attributes().get("coll"));
        assertEquals(5000, gigabytes(topology, LinkKind.PCI, "node0/nic0", "node0/cpu0"), "not on PCI");
    }

    /** The dictionary's keys are beginnings, tried in order; the fall through of "16.0 GT/s" is NCCL's. */
    @ParameterizedTest
    @CsvSource({"2.5 GT/s,16,3", "2.5 GT/s PCIe,16,3", "5 GT/s,4,1.5", "5.0 GT/s PCIe,16,6", "8 GT/s,16,12",
        "8.0 GT/s PCIe,8,6", "16 GT/s,16,24", "16.0 GT/s PCIe,16,24",
        "32 GT/s,16,48", "32.0 GT/s PCIe,16,48", "64.0 GT/s PCIe,16,96", "16.0 GT/s,16,12", "32.0 GT/s,16,12",
        "64 GT/s,16,12", "Unknown,16,12", "16 GT/s and more,16,24",
        "'',16,12", "'',0,12", "'','',12", "8 GT/s,0x8,6", "8 GT/s,1,0.75"})
    void pciRatesAreNcclsWithItsQuirks(String speed, String width, double expected) {
        assertEquals(expected,
            gigabytes(gpuBehind("link_speed=\"" + speed + "\" link_width=\"" + width + "\"").topology(), LinkKind.PCI,
                "node0/gpu0", "node0/cpu0"));
    }

    @Test
    void speedAndWidthThatAreNotThereCountAsGen3x16() {
        assertEquals(12, gigabytes(gpuBehind("").topology(), LinkKind.PCI, "node0/gpu0", "node0/cpu0"));
    }

    @ParameterizedTest
    @CsvSource({"50,20", "60,18", "61,18", "70,20", "75,20", "80,20", "86,12", "89,20", "90,20.6", "100,40.1",
        "120,40.1"})
    void nvLinkRatesFollowTheGeneration(int sm, double expected) {
        assertEquals(expected, NcclRates.nvlink(sm) / 1e9, 1e-9);
    }

    @ParameterizedTest
    @CsvSource({"x86_64,GenuineIntel,6,63,6", "x86_64,GenuineIntel,6,79,6", "x86_64,GenuineIntel,6,85,10",
        "x86_64,GenuineIntel,6,106,10", "x86_64,GenuineIntel,6,143,22",
        "x86_64,GenuineIntel,6,207,40", "x86_64,AuthenticAMD,143,49,16", "ppc64,,0,0,32", "arm64,,0,0,6",
        "x86_64,CentaurHauls,7,91,9", "x86_64,'  Shanghai  ',7,59,6"})
    void linksBetweenCpusFollowTheModel(String arch, String vendor, int family, int model, double expected) {
        assertEquals(expected, NcclRates.betweenCpus(arch, vendor == null ? "" : vendor, family, model) / 1e9);
    }

    @Test
    void xgmiRatesFollowTheArchitectureInBothSpellings() {
        assertEquals(List.of(24e9, 24e9, 36e9, 36e9, 48e9, 48e9),
            List.of(NcclRates.xgmi("906"), NcclRates.xgmi("gfx908"), NcclRates.xgmi("910"), NcclRates.xgmi("gfx90a"),
                NcclRates.xgmi("941"), NcclRates.xgmi("gfx942")));
    }

    @Test
    void gpusWithoutARankAreLeftOutWhereOthersHaveOne() {
        String two =
            "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\"><pci busid=\"0000:01:00.0\" class=\"0x03\"><gpu"
                + " dev=\"0\" sm=\"80\"%s/></pci>"
                + "<pci busid=\"0000:02:00.0\" class=\"0x03\"><gpu dev=\"1\" sm=\"80\"/></pci></cpu></system>";
        NcclTopology some = text(String.format(two, " rank=\"0\""));
        assertEquals(1, some.topology().of(ComponentKind.GPU).size());
        assertTrue(some.notes().get(0).contains("no rank"), some.notes().toString());
        assertEquals(2, text(String.format(two, "")).topology().of(ComponentKind.GPU).size());
    }

    @Test
    void elementsThatNcclDoesNotKnowAreSkippedAndKept() {
        NcclTopology topology = text(
            "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\" keep=\"1\"><fan rpm=\"9\"><pci/></fan><nic><net"
                + " name=\"a\" keep=\"1\"/></nic></cpu></system>");
        assertEquals(List.of("t.xml line 1: <fan> in <cpu> is skipped, as NCCL does"), topology.notes());
        assertTrue(NcclXml.write(topology.document()).contains("<fan rpm=\"9\">"));
        assertTrue(NcclXml.write(topology.document()).contains("keep=\"1\""));
        assertNull(topology.topology().of(ComponentKind.NIC).get(0).attributes().get("speed"),
            "a net without dev is not NCCL's");
    }

    @Test
    void hostsAreToldApartByTheirHash() {
        String cpu =
            "<cpu numaid=\"%d\" arch=\"arm64\" host_hash=\"%s\"><pci busid=\"0000:01:0%d.0\" class=\"0x030200\"><gpu"
                + " dev=\"%d\" sm=\"90\" rank=\"%d\" gdr=\"1\">"
                + "<nvlink target=\"fffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/><c2c bw=\"25000\""
                + " count=\"14\"/></gpu></pci></cpu>";
        Topology topology = text(
            "<system version=\"1\">" + String.format(cpu, 0, "0xabc", 0, 0, 0) + String.format(cpu, 0, "0xdef", 0, 0, 1)
                + String.format(cpu, 1, "ABC", 1, 1, 2) + "</system>")
            .topology();
        assertEquals(2, topology.nodes());
        assertEquals(6, gigabytes(topology, LinkKind.CPU, "node0/cpu0", "node0/cpu1"));
        assertEquals(Component.NETWORK, named(topology, "nvswitch0").node(),
            "a switch of several hosts belongs to none");
        assertEquals(18 * 20.6, gigabytes(topology, LinkKind.NVLINK, "node1/gpu0", "nvswitch0"), 0.01);
        assertEquals(350, gigabytes(topology, LinkKind.C2C, "node1/gpu0", "node1/cpu0"));
        assertEquals(1, topology.of(ComponentKind.CPU, 1).size());
    }

    @Test
    void whatNcclTakesForAnNvSwitchIsOne() {
        String gpu =
            "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\"><pci busid=\"0000:01:00.0\""
                + " class=\"0x030200\"><gpu dev=\"0\" sm=\"80\" rank=\"0\"><nvlink target=\"%s\" count=\"4\"%s/>"
                + "</gpu></pci></cpu></system>";
        assertEquals(1, text(String.format(gpu, "fffffff:ffff:ff", "")).topology().of(ComponentKind.NVSWITCH).size());
        assertEquals(1, text(String.format(gpu, "0000:99:00.0", " tclass=\"0x0108\"")).topology()
            .of(ComponentKind.NVSWITCH).size());
    }

    @Test
    void nvLinksToNowhereAndToItselfAreLeftOutAndSaid() {
        String gpu =
            "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\"><pci busid=\"0000:01:00.0\""
                + " class=\"0x030200\"><gpu dev=\"0\" sm=\"80\" rank=\"0\"><nvlink target=\"%s\" count=\"12\""
                + " tclass=\"0x030200\"/></gpu></pci></cpu></system>";
        NcclTopology nowhere = text(String.format(gpu, "0000:77:00.0"));
        assertEquals(1, nowhere.topology().links().size());
        assertTrue(nowhere.notes().get(0).contains("0000:77:00.0, where the file has no GPU"),
            nowhere.notes().toString());
        assertTrue(text(String.format(gpu, "0000:01:00.0")).notes().get(0).contains("to itself"));
    }

    @Test
    void broadcomSwitchesOfTwoLevelsAreOneAndTheirTwinIsLinked() {
        String head =
            "class=\"0x060400\" vendor=\"0x1000\" device=\"0xc030\" subsystem_vendor=\"0x1000\" link_width=\"16\" ";
        String gpu =
            "<pci busid=\"0000:%s:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"><gpu"
                + " dev=\"%d\" sm=\"90\" rank=\"%2$d\"/></pci>";
        String inner =
            "<pci busid=\"0000:%s:00.0\" " + head + "subsystem_device=\"0x1003\" link_speed=\"5.0 GT/s PCIe\">%s</pci>";
        String twin = "<pci busid=\"0000:%s:00.0\" " + head
            + "subsystem_device=\"0x0072\" link_speed=\"32.0 GT/s PCIe\">%s<pcilink target=\"0000:%s:00.0\"/></pci>";
        Topology topology = text("<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\">"
            + String.format(twin, "10",
                String.format(inner, "11", String.format(gpu, "12", 0) + String.format(gpu, "13", 1)), "20")
            + String.format(twin, "20",
                String.format(inner, "21", String.format(gpu, "22", 2) + String.format(gpu, "23", 3)), "10")
            + "</cpu></system>").topology();
        assertEquals(2, topology.of(ComponentKind.PCI_SWITCH).size());
        assertEquals(48, gigabytes(topology, LinkKind.PCI, "node0/gpu1", "node0/pci0"),
            "the inner level's 6 GB/s do not count");
        assertEquals(5000, gigabytes(topology, LinkKind.PCI, "node0/pci0", "node0/pci1"));
        assertEquals(7, topology.links().size(), topology.links().toString());
    }

    @Test
    void bridgesWithOneThingBelowAreItsWireAndThoseWithNothingAreLeftOut() {
        Topology topology = text(
            "<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\"><pci busid=\"0000:01:00.0\" class=\"0x060400\""
                + " link_speed=\"8 GT/s\" link_width=\"4\">"
                + "<pci busid=\"0000:02:00.0\" class=\"0x060400\" link_speed=\"8 GT/s\" link_width=\"16\"><pci"
                + " busid=\"0000:03:00.0\" class=\"0x030200\" link_speed=\"8 GT/s\" link_width=\"16\">"
                + "<gpu dev=\"0\" sm=\"80\" rank=\"0\"/></pci></pci></pci><pci busid=\"0000:09:00.0\""
                + " class=\"0x060400\"><pci busid=\"0000:0a:00.0\" class=\"0x010802\"/></pci></cpu></system>")
            .topology();
        assertEquals(2, topology.components().size(), topology.components().toString());
        assertEquals(3, gigabytes(topology, LinkKind.PCI, "node0/gpu0", "node0/cpu0"));
        assertEquals("0000:01:00.0 0000:02:00.0", named(topology, "node0/gpu0").attributes().get("bridges"));
    }
}

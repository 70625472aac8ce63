package org.brigade.topology.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.CpuSet;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkEstimates;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;
import org.brigade.topology.nccl.NcclTopology;
import org.brigade.topology.nccl.NcclXml;
import org.brigade.topology.system.FakeSystem;
import org.brigade.topology.system.SystemFiles;
import org.brigade.transport.sisci.adapter.AdapterSlot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines made of files, and what is found out about them. */
class DiscoveryTest {
    private static final String GEN5 = "32.0 GT/s PCIe";
    private static final String GEN4 = "16.0 GT/s PCIe";

    @TempDir
    private Path folder;

    private NcclTopology discover(List<GpuFacts> gpus) {
        return Discovery.discover(folder, "amd64", gpus, List.of());
    }

    private static GpuFacts gpu(String busId, int dev, List<GpuFacts.NvLink> links) {
        return new GpuFacts(busId, dev, 90, "GPU", 1L << 37, 5, 16, links, 0, -1);
    }

    private static Component named(Topology topology, String name) {
        return topology.components().stream().filter(component -> component.name().equals(name)).findFirst()
            .orElseThrow(() -> new AssertionError("no " + name + " in " + topology.components()));
    }

    private static double gigabytes(Topology topology, String a, String b) {
        int from = named(topology, a).id();
        for (int id : topology.linksOf(from)) {
            TopologyLink link = topology.link(id);
            if (topology.component(link.other(from)).name().equals(b)) {
                return Math.round(link.rateFrom(from) / 1e7) / 100.0;
            }
        }
        throw new AssertionError("no link from " + a + " to " + b + " in " + topology.links());
    }

    /** Two sockets of two caches of two cores of two threads; a switch with GPU and adapter on each. */
    private FakeSystem twoSockets() {
        FakeSystem system =
            new FakeSystem(folder).intel(143).numaNode(0, "0-3,8-11", "1000").numaNode(1, "4-7,12-15", "2000");
        for (int cpu = 0; cpu < 16; cpu++) {
            int core = cpu % 8;
            int pair = core / 2 * 2;
            system.processor(cpu, core + "," + (core + 8),
                pair + "-" + (pair + 1) + "," + (pair + 8) + "-" + (pair + 9));
        }
        for (int socket = 0; socket < 2; socket++) {
            String bus = socket == 0 ? "1" : "9";
            String top = "pci0000:" + bus + "0/0000:" + bus + "0:01.0";
            String up = top + "/0000:" + bus + "1:00.0";
            system.pci(top, "0x060400", "0x8086", GEN5, "16", socket).pci(up, "0x060400", "0x15b3", GEN5, "16", socket);
            system.pci(up + "/0000:" + bus + "2:00.0", "0x060400", "0x15b3", GEN5, "16", socket)
                .pci(up + "/0000:" + bus + "2:01.0", "0x060400", "0x15b3", GEN4, "8", socket);
            system.pci(up + "/0000:" + bus + "2:00.0/0000:" + bus + "3:00.0", "0x030200", "0x10de", GEN5, "16", socket);
            String nic = up + "/0000:" + bus + "2:01.0/0000:" + bus + "4:00.0";
            system.pci(nic, "0x020700", "0x15b3", GEN5, "16", socket);
            String verbs = "sys/devices/" + nic + "/infiniband/mlx5_" + socket;
            system.file(verbs + "/node_guid", "b8ce:f603:00a1:2b3" + socket).file(verbs + "/ports/1/state", "4: ACTIVE")
                .file(verbs + "/ports/1/rate", "400 Gb/sec (4X NDR)");
            system.link(verbs + "/device", "sys/devices/" + nic).link("sys/class/infiniband/mlx5_" + socket, verbs);
        }
        return system;
    }

    @Test
    void twoSocketsWithASwitchEachAreFoundWhole() {
        twoSockets();
        List<GpuFacts.NvLink> links = List.of(new GpuFacts.NvLink(null, 18));
        NcclTopology found = discover(List.of(gpu("0000:13:00.0", 0, links), gpu("0000:93:00.0", 1, links)));
        Topology topology = found.topology();
        assertEquals(List.of(), found.notes());
        assertEquals("{CPU=2, PCI_SWITCH=2, GPU=2, NIC=2, NVSWITCH=1, MEMORY=2, CACHE=4, CORE=8}", counts(topology));
        assertEquals(48, gigabytes(topology, "gpu1", "pci1"));
        assertEquals(12, gigabytes(topology, "nic0", "pci0"),
            "the port below the switch is Gen4 x8, whatever the adapter can do");
        assertEquals(22, gigabytes(topology, "cpu0", "cpu1"));
        assertEquals(370.8, gigabytes(topology, "gpu0", "nvswitch0"));
        assertEquals("400000", named(topology, "nic1").attributes().get("speed"));
        assertEquals("0xb8cef60300a12b31", named(topology, "nic1").attributes().get("guid"));
        assertEquals("4-7,12-15", named(topology, "cpu1").attributes().get("cpus"));
        assertEquals(Integer.toString(2000 * 1024), named(topology, "memory1").attributes().get("bytes"));
        assertEquals("2-3,10-11", named(topology, "cache1").attributes().get("cpus"));
        assertEquals("5,13", named(topology, "core5").attributes().get("cpus"));
        assertEquals(LinkEstimates.CORE_RATE / 1e9, gigabytes(topology, "core5", "cache2"));
    }

    private static String counts(Topology topology) {
        Map<ComponentKind, Integer> counts = new LinkedHashMap<>();
        topology.components().forEach(component -> counts.merge(component.kind(), 1, Integer::sum));
        return counts.toString();
    }

    @Test
    void theDocumentIsWhatNcclWouldReadAndReadsBack() {
        twoSockets();
        NcclTopology found = discover(List.of(gpu("0000:13:00.0", 0, List.of(new GpuFacts.NvLink("0000:93:00.0", 12))),
            gpu("0000:93:00.0", 1, List.of(new GpuFacts.NvLink("0000:13:00.0", 12)))));
        String written = NcclXml.write(found.document());
        NcclTopology back =
            NcclTopology.read(new ByteArrayInputStream(written.getBytes(StandardCharsets.UTF_8)), "t.xml");
        assertEquals(found.document(), back.document());
        assertEquals(9, back.topology().components().size() + 1, written);
        assertTrue(written.contains("    <pci busid=\"0000:11:00.0\" class=\"0x060400\""),
            "the switch is its upper port, right below the CPU:\n" + written);
        assertFalse(written.contains("0000:10:01.0") || written.contains("0000:12:0"),
            "ports that lead down are no elements:\n" + written);
        assertTrue(written.contains("<nvlink target=\"0000:93:00.0\" count=\"12\" tclass=\"0x030200\"/>"), written);
        assertTrue(
            written.contains(
                "affinity=\"00000f0f\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\""),
            written);
        assertEquals(247.2, gigabytes(found.topology(), "gpu0", "gpu1"));
    }

    @Test
    void consolesDisksAndVirtualFunctionsAreNoParts() {
        FakeSystem system = twoSockets();
        system.pci("pci0000:00/0000:00:02.0", "0x030000", "0x1a03", "", "", 0);
        system.pci("pci0000:00/0000:00:03.0/0000:05:00.0", "0x010802", "0x144d", GEN4, "4", 0);
        system.pci("pci0000:10/0000:10:01.0/0000:11:00.0/0000:12:01.0/0000:14:00.1", "0x020700", "0x15b3", GEN5, "16",
            0);
        system.link("sys/devices/pci0000:10/0000:10:01.0/0000:11:00.0/0000:12:01.0/0000:14:00.1/physfn",
            "sys/devices/pci0000:10/0000:10:01.0/0000:11:00.0/0000:12:01.0/0000:14:00.0");
        assertEquals("{CPU=2, PCI_SWITCH=2, GPU=2, NIC=2, MEMORY=2, CACHE=4, CORE=8}",
            counts(discover(List.of()).topology()));
    }

    @Test
    void dolphinAdaptersAndTheKernelsBridgesAreNtb() {
        FakeSystem system = new FakeSystem(folder).numaNode(0, "0", "1").processor(0, "0", "0");
        system.pci("pci0000:00/0000:00:01.0/0000:01:00.0", "0x068000", "0x11c8", "8.0 GT/s PCIe", "8", -1);
        system.pci("pci0000:00/0000:00:02.0/0000:02:00.0", "0x068000", "0x8086", "8.0 GT/s PCIe", "4", -1)
            .link("sys/bus/ntb/devices/0000:02:00.0", "sys/devices");
        system.pci("pci0000:00/0000:00:03.0/0000:03:00.0", "0x068000", "0x11f8", "16.0 GT/s PCIe", "8", -1)
            .file("sys/bus/pci/drivers/dis_mx/x", "")
            .link("sys/devices/pci0000:00/0000:00:03.0/0000:03:00.0/driver", "sys/bus/pci/drivers/dis_mx");
        system.pci("pci0000:00/0000:00:04.0/0000:04:00.0", "0x068000", "0x10de", GEN4, "16", -1);
        Topology topology = discover(List.of()).topology();
        assertEquals("{CPU=1, NTB=3, MEMORY=1, CORE=1}", counts(topology));
        assertEquals(6, gigabytes(topology, "ntb0", "cpu0"));
        assertEquals("ntb-0000:01:00.0", named(topology, "ntb0").attributes().get("name"));
        assertEquals(12, gigabytes(topology, "ntb2", "cpu0"), "Gen4 x8");
    }

    /** By the address that SISCI tells, whatever vendor and driver: one in another domain, one that is not there. */
    @Test
    void adaptersOfSisciAreFoundByTheirAddressAndHaveTheirCablesSpeed() {
        FakeSystem system = new FakeSystem(folder).numaNode(0, "0", "1").processor(0, "0", "0");
        system.pci("pci0000:00/0000:00:01.0/0000:01:00.0", "0x068000", "0x11f8", "16.0 GT/s PCIe", "8", -1);
        system.pci("pci0001:00/0001:00:01.0/0001:02:1f.1", "0x068000", "0x11c8", "8.0 GT/s PCIe", "8", -1);
        system.pci("pci0001:00/0001:00:02.0/0001:01:00.0", "0x068000", "0x11f8", "8.0 GT/s PCIe", "8", -1);
        Topology topology = Discovery.discover(folder, "amd64", List.of(),
            List.of(new AdapterSlot(0, "01:00.0", 63_016), new AdapterSlot(1, "02:1f.1", -1),
                new AdapterSlot(2, "07:00.0", 63_016)))
            .topology();
        assertEquals("{CPU=1, NTB=2, MEMORY=1, CORE=1}", counts(topology));
        assertEquals("sisci-0", named(topology, "ntb0").attributes().get("name"));
        assertEquals("63016", named(topology, "ntb0").attributes().get("speed"));
        assertEquals("sisci-1", named(topology, "ntb1").attributes().get("name"));
        assertEquals(null, named(topology, "ntb1").attributes().get("speed"));
    }

    @Test
    void aMachineThatShowsNothingHasOneCpu() {
        Topology topology = discover(List.of()).topology();
        assertEquals("{CPU=1, MEMORY=1}", counts(topology));
        assertEquals("-1", named(topology, "cpu0").attributes().get("numa"));
        new FakeSystem(folder).file("sys/devices/system/cpu/online", "0-2").file("proc/meminfo", "MemTotal: 7 kB");
        topology = discover(List.of()).topology();
        assertEquals("{CPU=1, MEMORY=1, CORE=3}", counts(topology));
        assertEquals("7168", named(topology, "memory0").attributes().get("bytes"));
    }

    /** Seen in a sandbox: a node of 5 GiB on a machine of 504. */
    @Test
    void aNodeThatShowsAPartOfTheMemoryHasAllOfIt() {
        FakeSystem system = new FakeSystem(folder).numaNode(0, "0-1", "5242880").file("proc/meminfo",
            "MemTotal: 528482304 kB");
        assertEquals(Long.toString(528482304L << 10),
            named(discover(List.of()).topology(), "memory0").attributes().get("bytes"));
        system.numaNode(1, "2-3", "5242880");
        assertEquals(null, named(discover(List.of()).topology(), "memory0").attributes().get("bytes"), "who knows");
    }

    @Test
    void memoryWithoutProcessorsIsNoCpuAndDevicesThereAreOnTheFirst() {
        FakeSystem system = new FakeSystem(folder).numaNode(0, "0-1", "1").numaNode(1, "", "9").processor(0, "0", "0-1")
            .processor(1, "1", "0-1");
        system.pci("pci0000:00/0000:00:01.0/0000:01:00.0", "0x030200", "0x10de", "Unknown", "255", 1);
        Topology topology = discover(List.of()).topology();
        assertEquals("{CPU=1, GPU=1, MEMORY=1, CACHE=1, CORE=2}", counts(topology));
        assertEquals(12, gigabytes(topology, "gpu0", "cpu0"), "neither speed nor width is known");
    }

    @Test
    void aVirtualMachinesGpuHasTheRateThatItsDriverTells() {
        new FakeSystem(folder).numaNode(0, "0", "1").processor(0, "0", "0").pci("pci0000:00/0000:00:05.0", "0x030200",
            "0x10de", "", "", -1);
        assertEquals(48, gigabytes(discover(List.of(gpu("0000:00:05.0", 3, List.of()))).topology(), "gpu3", "cpu0"));
    }

    @Test
    void aGpuThatOnlyItsDriverShowsIsOnTheFirstCpu() {
        new FakeSystem(folder).numaNode(0, "0", "1").processor(0, "0", "0");
        Topology topology = discover(List.of(gpu("0000:1a:00.0", 0, List.of(new GpuFacts.NvLink("0000:1b:00.0", 6))),
            gpu("0000:1b:00.0", 1, List.of(new GpuFacts.NvLink("0000:1a:00.0", 6))))).topology();
        assertEquals(48, gigabytes(topology, "gpu0", "cpu0"));
        assertEquals(123.6, gigabytes(topology, "gpu0", "gpu1"));
    }

    @Test
    void graceAndHopperAreJoinedByTheirChipsLink() {
        new FakeSystem(folder).numaNode(0, "0", "1").processor(0, "0", "0").pci("pci0009:00/0009:00:00.0/0009:01:00.0",
            "0x030200", "0x10de", GEN5, "16", 0);
        NcclTopology found = Discovery.discover(folder, "aarch64",
            List.of(new GpuFacts("0009:01:00.0", 0, 90, "GH200", 1, 5, 16, List.of(), 10, 44712)), List.of());
        Topology topology = found.topology();
        TopologyLink c2c =
            topology.links().stream().filter(link -> link.kind() == LinkKind.C2C).findFirst().orElseThrow();
        assertEquals(447.12e9, c2c.forward(), 1);
        assertEquals("arm64", named(topology, "cpu0").attributes().get("arch"));
    }

    @Test
    void interfacesWithoutVerbsAreNetsAndPortsThatAreDownAreNot() {
        FakeSystem system = new FakeSystem(folder).numaNode(0, "0", "1").processor(0, "0", "0");
        system.pci("pci0000:00/0000:00:03.0", "0x020000", "0x1af4", "", "", -1)
            .file("sys/devices/pci0000:00/0000:00:03.0/virtio2/net/eth0/speed", "25000");
        system.link("sys/devices/pci0000:00/0000:00:03.0/virtio2/net/eth0/device",
            "sys/devices/pci0000:00/0000:00:03.0/virtio2");
        system.link("sys/class/net/eth0", "sys/devices/pci0000:00/0000:00:03.0/virtio2/net/eth0")
            .file("sys/class/net/lo/speed", "1");
        String down = "sys/devices/pci0000:00/0000:00:04.0";
        system.pci("pci0000:00/0000:00:04.0", "0x020700", "0x15b3", GEN4, "8", -1)
            .file(down + "/infiniband/mlx5_0/ports/1/state", "1: DOWN");
        system.link(down + "/infiniband/mlx5_0/device", down).link("sys/class/infiniband/mlx5_0",
            down + "/infiniband/mlx5_0");
        Topology topology = discover(List.of()).topology();
        assertEquals("25000", named(topology, "nic0").attributes().get("speed"));
        assertEquals("eth0", named(topology, "nic0").attributes().get("name"));
        assertFalse(named(topology, "nic1").attributes().containsKey("speed"),
            named(topology, "nic1").attributes().toString());
    }

    @Test
    void whatIsWrittenOfAMachineWithThousandsOfProcessorsReadsBack() {
        new FakeSystem(folder).numaNode(0, "0-895", "1").numaNode(1, "896-1791", "1");
        NcclTopology found = discover(List.of());
        assertEquals("{CPU=2, MEMORY=2, CORE=1792}", counts(found.topology()));
        NcclXml.read(new ByteArrayInputStream(NcclXml.write(found.document()).getBytes(StandardCharsets.UTF_8)),
            "t.xml");
        assertEquals("0-895", named(found.topology(), "cpu0").attributes().get("cpus"));
        assertFalse(named(found.topology(), "cpu1").attributes().containsKey("cpus"),
            "a map of that many words NCCL does not read");
    }

    @Test
    void processorsHaveTheFamilyThatNcclAddsUp() {
        new FakeSystem(folder).file("proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17");
        assertEquals(new CpuIdentity("x86_64", "AuthenticAMD", 175, 17),
            CpuIdentity.read(new SystemFiles(folder), "amd64"));
        new FakeSystem(folder).file("proc/cpuinfo", "vendor_id\t:   Shanghai  \ncpu family\t: 7\nmodel\t\t: 91");
        assertEquals(new CpuIdentity("x86_64", "  Shanghai  ", 7, 91),
            CpuIdentity.read(new SystemFiles(folder), "amd64"));
        assertEquals(new CpuIdentity("ppc64", "", -1, -1), CpuIdentity.read(new SystemFiles(folder), "ppc64le"));
    }

    @Test
    void thisMachineHasACoreForEveryProcessorThatThisProcessMayUse() {
        Topology topology = Discovery.thisMachine().topology();
        int processors = 0;
        for (Component core : topology.of(ComponentKind.CORE)) {
            processors += CpuSet.parseList(core.attributes().get("cpus")).size();
        }
        assertTrue(processors >= Runtime.getRuntime().availableProcessors(), topology.components().toString());
    }
}

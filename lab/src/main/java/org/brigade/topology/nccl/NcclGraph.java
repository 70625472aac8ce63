package org.brigade.topology.nccl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.brigade.topology.CpuSet;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkEstimates;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.xml.XmlNode;

/** Makes the graph of one document. */
final class NcclGraph {
    private static final int MOST_NOTES = 100;
    /** The elements that each element may contain; NCCL skips others. */
    private static final Map<String, Set<String>> CHILDREN =
        Map.of("system", Set.of("cpu"), "cpu", Set.of("pci", "nic"), "pci", Set.of("pci", "gpu", "nic", "pcilink"),
            "gpu", Set.of("nvlink", "xgmi", "c2c"), "nic", Set.of("net", "gin", "rma"), "net", Set.of(), "nvlink",
            Set.of(), "xgmi", Set.of(), "c2c", Set.of(), "pcilink", Set.of());

    private final XmlNode document;
    private final String source;
    private final List<String> notes = new ArrayList<>();
    private final Topology.Builder builder;
    private final Hosts hosts = new Hosts();
    /** Names in use, as {@code node/name}. */
    private final Set<String> names = new HashSet<>();
    /** By {@code node/word}: all lower numbers are taken. */
    private final Map<String, Integer> nextFree = new HashMap<>();
    private final NvLinks nvLinks;

    NcclGraph(XmlNode document, String source) {
        this.document = document;
        this.source = source;
        builder = new Topology.Builder(
            new NcclAttributes(source, document).text("name", source.substring(source.lastIndexOf('/') + 1)));
        nvLinks = new NvLinks(source, builder, notes);
    }

    List<String> notes() {
        return notes.size() <= MOST_NOTES ? notes : notes.subList(0, MOST_NOTES);
    }

    Topology build() {
        noteUnknown(document);
        boolean gpusByClass = !document.contains("gpu"); // a stub lists devices without saying what they are
        boolean nicsByClass = !document.contains("nic");
        boolean ranked = ranked(document);
        List<PciTree> trees = new ArrayList<>();
        List<List<Component>> cpus = new ArrayList<>();
        List<List<XmlNode>> cpuElements = new ArrayList<>();
        for (XmlNode element : document.children("cpu")) {
            int host = hosts.number(element.attribute("host_hash"));
            if (host == trees.size()) {
                trees.add(new PciTree(source, gpusByClass, nicsByClass, ranked, notes));
                cpus.add(new ArrayList<>());
                cpuElements.add(new ArrayList<>());
            }
            Component cpu = cpu(element, host, cpuElements.get(host));
            cpus.get(host).add(cpu);
            cpuElements.get(host).add(element);
            for (PciPart part : trees.get(host).below(element)) {
                add(part, cpu, cpu);
            }
            for (XmlNode nic : element.children("nic")) {
                Component adapter = builder.add(ComponentKind.NIC, host, free(host, "nic", -1), nic(nic, Map.of()));
                builder.link(LinkKind.PCI, cpu, adapter, NcclRates.LOCAL, LinkEstimates.PCI_LATENCY);
            }
        }
        if (cpus.isEmpty()) {
            throw new NcclAttributes(source, document).wrong("no <cpu> in <system>; a topology has at least one");
        }
        for (int host = 0; host < cpus.size(); host++) {
            joinCpus(cpus.get(host), cpuElements.get(host));
        }
        nvLinks.add();
        return builder.build();
    }

    private void noteUnknown(XmlNode element) {
        for (XmlNode child : element.children()) {
            if (!CHILDREN.get(element.name()).contains(child.name())) {
                notes.add(source + " line " + child.line() + ": <" + child.name() + "> in <" + element.name()
                    + "> is skipped, as NCCL does");
            } else if (CHILDREN.containsKey(child.name())) {
                noteUnknown(child);
            }
        }
    }

    private static boolean ranked(XmlNode element) {
        for (XmlNode child : element.children()) {
            if (child.name().equals("gpu") && child.attribute("rank") != null || ranked(child)) {
                return true;
            }
        }
        return false;
    }

    private Component cpu(XmlNode element, int host, List<XmlNode> before) {
        NcclAttributes cpu = new NcclAttributes(source, element);
        int numa = cpu.integer("numaid");
        for (XmlNode other : before) {
            if (new NcclAttributes(source, other).integer("numaid") == numa) {
                throw cpu.wrong("numaid " + numa + " is already that of line " + other.line()
                    + "; write one <cpu> for each NUMA node of a host");
            }
        }
        CpuSet processors = cpu.processors("affinity");
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("numa", Integer.toString(numa));
        copy(element, attributes, "arch", "vendor", "familyid", "modelid");
        if (!processors.isEmpty()) {
            attributes.put("cpus", processors.toString());
        }
        return builder.add(ComponentKind.CPU, host, free(host, "cpu", numa), attributes);
    }

    private void joinCpus(List<Component> cpus, List<XmlNode> elements) {
        for (int a = 0; a < cpus.size(); a++) {
            for (int b = a + 1; b < cpus.size(); b++) {
                builder.link(LinkKind.CPU, cpus.get(a), cpus.get(b), between(elements.get(a)), between(elements.get(b)),
                    false, LinkEstimates.CPU_LATENCY);
            }
        }
    }

    private double between(XmlNode element) {
        NcclAttributes cpu = new NcclAttributes(source, element);
        if (!cpu.has("arch")) {
            notes.add(cpu.place()
                + ": no arch, which NCCL would look up on the machine itself: the slowest link between CPUs is"
                + " assumed");
        }
        String vendor = cpu.text("vendor", "");
        boolean numbered =
            vendor.startsWith("GenuineIntel") || vendor.startsWith("CentaurHauls") || vendor.startsWith("  Shanghai  ");
        return NcclRates.betweenCpus(cpu.text("arch", ""), vendor, numbered ? cpu.integer("familyid") : 0,
            numbered ? cpu.integer("modelid") : 0);
    }

    private void add(PciPart part, Component parent, Component cpu) {
        XmlNode element = part.element;
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("busid", part.busId);
        copy(element, attributes, "class", "vendor", "device", "link_speed", "link_width");
        if (!part.bridges.isEmpty()) {
            attributes.put("bridges", String.join(" ", part.bridges));
        }
        int host = cpu.node();
        Component component = switch (part.kind) {
            case SWITCH -> builder.add(ComponentKind.PCI_SWITCH, host, free(host, "pci", -1), attributes);
            case GPU -> gpu(element, host, attributes);
            case NIC ->
                builder.add(ComponentKind.NIC, host, free(host, "nic", -1), nic(element.child("nic"), attributes));
            case NTB ->
                builder.add(ComponentKind.NTB, host, free(host, "ntb", -1), nic(element.child("nic"), attributes));
        };
        builder.link(LinkKind.PCI, parent, component, part.rate, LinkEstimates.PCI_LATENCY * (1 + part.bridges.size()));
        if (part.kind == PciPart.Kind.GPU) {
            nvLinks.gpu(part, component, cpu);
        } else if (part.kind == PciPart.Kind.SWITCH) {
            nvLinks.pciSwitch(part, component);
        }
        for (PciPart below : part.below) {
            add(below, component, cpu);
        }
    }

    private Component gpu(XmlNode element, int host, Map<String, String> attributes) {
        XmlNode gpu = element.child("gpu");
        int dev = -1;
        if (gpu != null) {
            copy(gpu, attributes, "dev", "sm", "rank", "gdr", "gcn", "arch", "mlopart");
            dev = new NcclAttributes(source, gpu).integer("dev", -1);
        }
        return builder.add(ComponentKind.GPU, host, free(host, "gpu", dev), attributes);
    }

    /**
     * An adapter's attributes; with several ports {@code name} and {@code dev} list them and {@code speed} (Mbit/s) is
     * their sum. NCCL ignores a net without {@code dev}; that of SISCI's adapter has none, and a {@code speed}.
     */
    private Map<String, String> nic(XmlNode nic, Map<String, String> known) {
        Map<String, String> attributes = new LinkedHashMap<>(known);
        long speed = 0;
        for (XmlNode net : nic == null ? List.<XmlNode>of() : nic.children("net")) {
            NcclAttributes port = new NcclAttributes(source, net);
            copy(net, attributes, "port", "guid", "gdr", "coll", "latency", "maxconn");
            append(attributes, "name", port.text("name", ""));
            if (port.has("dev")) {
                append(attributes, "dev", Integer.toString(port.integer("dev")));
                speed += Math.round(NcclRates.net(port.integer("speed", 0)) * 8 / 1e6);
                attributes.put("speed", Long.toString(speed));
            } else if (port.text("name", "").startsWith("sisci-") && port.has("speed")) {
                attributes.put("speed", Integer.toString(port.integer("speed")));
            }
        }
        return attributes;
    }

    private static void append(Map<String, String> attributes, String key, String value) {
        if (!value.isEmpty()) {
            attributes.merge(key, value, (before, more) -> before + " " + more);
        }
    }

    /** Copies the attributes that exist and are not yet known. */
    private static void copy(XmlNode element, Map<String, String> attributes, String... keys) {
        for (String key : keys) {
            if (element.attribute(key) != null) {
                attributes.putIfAbsent(key, element.attribute(key).trim());
            }
        }
    }

    /** {@code gpu3} if that number is known and its name free, else the next free name. */
    private String free(int host, String word, int number) {
        if (number >= 0 && names.add(host + "/" + word + number)) {
            return word + number;
        }
        for (int next = nextFree.getOrDefault(host + "/" + word, 0);; next++) {
            if (names.add(host + "/" + word + next)) {
                nextFree.put(host + "/" + word, next + 1);
                return word + next;
            }
        }
    }
}

package org.brigade.topology.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.brigade.topology.TopologyException;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkEstimates;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/**
 * Writes a topology of one node as a machine file, so that a machine can be simulated and tuned for before it is
 * measured. Numbers that the topology lacks (costs of transfers, rates of GPUs and cores in their own memory) are
 * marked as estimates, for replacement by measured figures.
 */
public final class MachineWriter {
    private static final Map<LinkKind, String> SOURCES =
        Map.of(LinkKind.PCI, "\"NCCL graph/topo.h: what is usable of the link's generation and lanes\"",
            LinkKind.NVLINK, "\"NCCL graph/topo.h: what is usable of a link, times their number\"", LinkKind.CPU,
            "\"NCCL graph/topo.h: between such CPUs, for devices\"",
            LinkKind.C2C, "\"as the driver tells\"", LinkKind.CHIP, "estimate \"order of magnitude\"", LinkKind.MEMORY,
            "estimate \"a server's eight channels\"");

    /** 10 Gbit/s. */
    private static final double UNKNOWN_NET = 1.25;

    private final Topology topology;
    private final int nodes;
    private final StringBuilder head = new StringBuilder();
    private final StringBuilder node = new StringBuilder();
    /** Figures by meaning: link kind and rate, or latency. */
    private final Map<String, String> figures = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    private MachineWriter(Topology topology, int nodes) {
        this.topology = topology;
        this.nodes = nodes;
    }

    /**
     * A file that {@link MachineReader} can read.
     *
     * @param nodes number of such nodes, linked by their adapters
     * @throws TopologyException if the topology has several hosts, or {@code nodes} have no adapters
     */
    public static String write(Topology topology, int nodes) {
        if (topology.nodes() != 1) {
            throw new TopologyException(topology.name() + " has " + topology.nodes()
                + " nodes, and a machine file describes one and says how many there are; give the topology of one");
        }
        if (nodes > 1 && topology.of(ComponentKind.NIC).isEmpty() && topology.of(ComponentKind.NTB).isEmpty()) {
            throw new TopologyException(
                topology.name() + " has no adapter by which " + nodes + " nodes could be linked; describe one node");
        }
        return new MachineWriter(topology, nodes).text();
    }

    private String text() {
        components();
        StringBuilder text = new StringBuilder(
            "# Rates of links as NCCL takes them for such hardware; estimates are marked. Measure, and replace the"
                + " figures here, with their source.\n");
        text.append("machine ").append(name()).append(" \"").append(topology.name().replace("\"", "").strip())
            .append("\"\n\n").append(head).append("\nnode\n").append(node)
            .append("end\n");
        network(text);
        transfers(text);
        return text.toString();
    }

    private String name() {
        StringBuilder name = new StringBuilder();
        String stem = topology.name().endsWith(".xml") ? topology.name().substring(0, topology.name().length() - 4)
            : topology.name();
        for (char c : stem.toLowerCase(Locale.ROOT).toCharArray()) {
            name.append(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' ? c : '-');
        }
        String word = (name.length() == 0 || !Character.isLetter(name.charAt(0)) ? "m" : "") + name;
        return word.substring(0, Math.min(word.length(), 64));
    }

    private void components() {
        boolean places = !topology.of(ComponentKind.GPU).isEmpty() || !topology.of(ComponentKind.CORE).isEmpty();
        boolean[] written = new boolean[topology.components().size()];
        boolean[] linked = new boolean[topology.links().size()];
        for (Component component : topology.components()) {
            TopologyLink up = above(component, written);
            line(component.kind().word() + " " + component.name() + (up == null ? "" : under(component, up)));
            written[component.id()] = true;
            if (up != null) {
                linked[up.id()] = true;
            }
            if (component.kind() == ComponentKind.CPU) {
                host(component, places);
            }
        }
        for (TopologyLink link : topology.links()) {
            if (!linked[link.id()]) {
                line("link " + link.kind().word() + " " + topology.component(link.a()).name() + " "
                    + topology.component(link.b()).name() + rates(link, link.a()));
            }
        }
    }

    /** The first link to a possible parent that has already been written. */
    private TopologyLink above(Component component, boolean[] written) {
        if (component.kind() == ComponentKind.CPU || component.kind() == ComponentKind.NVSWITCH) {
            return null;
        }
        for (int id : topology.linksOf(component.id())) {
            int other = topology.link(id).other(component.id());
            ComponentKind kind = topology.component(other).kind();
            if (written[other]
                && (kind == ComponentKind.CPU || kind == ComponentKind.PCI_SWITCH || kind == ComponentKind.CACHE)) {
                return topology.link(id);
            }
        }
        return null;
    }

    private String under(Component component, TopologyLink up) {
        boolean usual = up.kind() == LinkKind.PCI || up.kind() == LinkKind.CHIP || up.kind() == LinkKind.MEMORY;
        return " under " + topology.component(up.other(component.id())).name()
            + (usual ? "" : " by " + up.kind().word()) + rates(up, component.id());
    }

    private String rates(TopologyLink link, int from) {
        double there = link.rateFrom(from);
        double back = link.rateFrom(link.other(from));
        return " rate " + rate(link.kind(), there) + (there == back ? "" : " back " + rate(link.kind(), back))
            + (link.halfDuplex() ? " half" : "") + " latency "
            + latency(link.kind(), link.latency());
    }

    /** Adds memory, which NCCL's files lack, and a core if there is no other place for ranks. */
    private void host(Component cpu, boolean places) {
        boolean memory = false;
        for (int id : topology.linksOf(cpu.id())) {
            memory |= topology.component(topology.link(id).other(cpu.id())).kind() == ComponentKind.MEMORY;
        }
        if (!memory) {
            line("memory ram-" + cpu.name() + " under " + cpu.name() + " rate "
                + rate(LinkKind.MEMORY, LinkEstimates.MEMORY_RATE) + " latency "
                + latency(LinkKind.MEMORY, LinkEstimates.MEMORY_LATENCY));
        }
        if (!places) {
            line("core core-" + cpu.name() + " under " + cpu.name() + " rate "
                + rate(LinkKind.CHIP, LinkEstimates.CORE_RATE) + " latency "
                + latency(LinkKind.CHIP, LinkEstimates.CHIP_LATENCY));
        }
    }

    private void line(String text) {
        node.append("  ").append(text).append('\n');
    }

    private String rate(LinkKind kind, double rate) {
        return figure(kind.word(), number(rate / 1e9) + " GB/s", SOURCES.get(kind));
    }

    private String latency(LinkKind kind, double seconds) {
        return figure(kind.word() + "-hop", number(seconds * 1e6) + " us", "estimate \"order of magnitude\"");
    }

    private String figure(String stem, String value, String source) {
        String known = figures.get(stem + value);
        if (known == null) {
            int count = counts.merge(stem, 1, Integer::sum);
            known = count == 1 ? stem : stem + "-" + count;
            figures.put(stem + value, known);
            head.append("figure ").append(known).append(' ').append(value).append(' ').append(source).append('\n');
        }
        return known;
    }

    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.6f", value);
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }

    private void network(StringBuilder text) {
        if (nodes == 1) {
            return;
        }
        ComponentKind kind = topology.of(ComponentKind.NIC).isEmpty() ? ComponentKind.NTB : ComponentKind.NIC;
        double rate = 0;
        for (Component adapter : topology.of(kind)) {
            rate = Math.max(rate, Double.parseDouble(adapter.attributes().getOrDefault("speed", "0")) / 8000);
        }
        text.append("\nfigure nodes ").append(nodes).append(" count \"as asked for\"\n");
        text.append("figure net ").append(net(rate)).append('\n');
        text.append("figure fabric 0.5 us estimate \"two cable ends and a switch\"\nnodes nodes\nnetwork switch of ")
            .append(kind.word()).append(" rate net latency fabric\n");
    }

    private static String net(double gigabytes) {
        if (gigabytes == 0) {
            return "12 GB/s estimate \"the adapter does not say: about 100 Gbit/s\"";
        }
        return number(gigabytes) + " GB/s "
            + (gigabytes == UNKNOWN_NET
                ? "estimate \"the adapter's speed, or what NCCL takes for one that does not say\""
                : "\"the adapter's speed\"");
    }

    private void transfers(StringBuilder text) {
        boolean gpus = !topology.of(ComponentKind.GPU).isEmpty();
        List<String> lines = new ArrayList<>();
        Map<String, String> costs = new LinkedHashMap<>();
        costs.put("zero", "0 us \"contained in the startup or in the links\"");
        costs.put("shm", "0.5 us estimate \"a small message in shared memory\"");
        costs.put("copying", "8 GB/s estimate \"one core's copy between two processes\"");
        lines.add("transfer host startup shm latency zero most copying");
        if (nodes > 1) {
            costs.put("post", "0.8 us estimate \"a small message to the network, at the sender\"");
            lines.add("transfer host-net startup post latency zero");
        }
        if (gpus) {
            peers(costs, lines);
        }
        costs.put("core-copy", "10 GB/s estimate \"one core's memcpy beyond the caches\"");
        costs.put("core-reduce", "6 GB/s estimate \"one core, two reads and a write a byte\"");
        costs.put("call", "0.1 us estimate \"a function call and a cold cache line\"");
        lines.add("local core copy core-copy startup call reduce core-reduce startup call");
        text.append('\n');
        costs.forEach((name, value) -> text.append("figure ").append(name).append(' ').append(value).append('\n'));
        lines.forEach(line -> text.append(line).append('\n'));
    }

    private void peers(Map<String, String> costs, List<String> lines) {
        lines.add("peer nvlink free");
        lines.add("peer switch free");
        boolean intel = false;
        for (Component cpu : topology.of(ComponentKind.CPU)) {
            intel |= cpu.attributes().getOrDefault("vendor", "").startsWith("GenuineIntel");
        }
        if (intel) {
            costs.put("root", number(slowest() / 1.2e9)
                + " GB/s \"NCCL graph/topo.h: Intel's root complexes cost peers 6/5 of a GPU's PCI link\"");
        }
        lines.add("peer cpu " + (intel ? "each root" : "free"));
        costs.put("ipc", "6 us estimate \"the driver's launch of a copy\"");
        costs.put("stage", "10 us estimate \"two copies by chunks\"");
        lines.add("transfer peer startup ipc latency zero");
        lines.add("transfer staged startup stage latency zero");
        if (nodes > 1) {
            lines.add("gpudirect read switch free");
            lines.add("gpudirect write switch free");
            costs.put("gdr", "1.5 us estimate \"a small message between GPUs of two nodes, at the sender\"");
            lines.add("transfer device-net startup gdr latency zero");
            lines.add("transfer device-net-staged startup stage latency zero");
        }
        double memory = memoryRate();
        costs.put("gpu-copy", number(memory * 0.45) + " GB/s estimate \"of the " + number(memory)
            + " GB/s of such GPUs' memory half reads; 0.9 reached\"");
        costs.put("gpu-reduce", number(memory * 0.3) + " GB/s estimate \"two reads and a write a byte; 0.9 reached\"");
        costs.put("launch", "9 us estimate \"kernel launch and its completion\"");
        lines.add("local gpu copy gpu-copy startup launch reduce gpu-reduce startup launch");
    }

    /** The slowest PCI link of a GPU. */
    private double slowest() {
        double slowest = Double.MAX_VALUE;
        for (Component gpu : topology.of(ComponentKind.GPU)) {
            for (int id : topology.linksOf(gpu.id())) {
                if (topology.link(id).kind() == LinkKind.PCI) {
                    slowest = Math.min(slowest, topology.link(id).rateFrom(gpu.id()));
                }
            }
        }
        return slowest == Double.MAX_VALUE ? 12e9 : slowest;
    }

    /** GB/s of the best known GPU of the first one's generation. */
    private double memoryRate() {
        int sm;
        try {
            sm = Integer.parseInt(topology.of(ComponentKind.GPU).get(0).attributes().getOrDefault("sm", "80"));
        } catch (NumberFormatException e) {
            sm = 80;
        }
        if (sm >= 100) {
            return 8000; // B200
        }
        if (sm >= 90) {
            return 3350; // H100 SXM
        }
        if (sm >= 80) {
            return 1555; // A100
        }
        return sm >= 70 ? 900 : sm >= 60 ? 732 : 80; // V100, P100, K2200
    }
}

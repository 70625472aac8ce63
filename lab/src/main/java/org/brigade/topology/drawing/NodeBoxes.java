package org.brigade.topology.drawing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.CpuSet;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/**
 * One node's components as nested boxes. Components without a box (cores, caches, memory) appear as text in the box
 * that they belong to.
 */
final class NodeBoxes {
    private final Topology topology;
    private final int node;
    final List<Box> outermost = new ArrayList<>();
    private final Map<Integer, Box> boxes = new HashMap<>();

    NodeBoxes(Topology topology, int node, List<Component> components) {
        this.topology = topology;
        this.node = node;
        for (Component component : components) {
            if (component.kind() == ComponentKind.CPU) {
                add(component, null, null);
            }
        }
        nest();
        for (Component component : components) {
            if (nests(component.kind()) && !boxes.containsKey(component.id())) {
                add(component, null, null); // no path leads to it from a CPU
                nest();
            }
        }
        if (outermost.isEmpty()) {
            for (Component component : components) {
                if (component.kind() != ComponentKind.NVSWITCH) {
                    add(component, null, null);
                }
            }
        }
        boxes.values().forEach(box -> box.lines.addAll(lines(box)));
    }

    Box of(int component) {
        return boxes.get(component);
    }

    private static boolean nests(ComponentKind kind) {
        return kind == ComponentKind.PCI_SWITCH || kind == ComponentKind.GPU || kind == ComponentKind.NIC
            || kind == ComponentKind.NTB;
    }

    private Box add(Component component, Box parent, TopologyLink up) {
        Box box = new Box(component, up);
        boxes.put(component.id(), box);
        (parent == null ? outermost : parent.below).add(box);
        return box;
    }

    /** Adds boxes outward from the present ones, by distance. */
    private void nest() {
        List<Box> reached = new ArrayList<>(boxes.values());
        reached.sort((a, b) -> Integer.compare(a.component.id(), b.component.id()));
        while (!reached.isEmpty()) {
            List<Box> next = new ArrayList<>();
            for (Box parent : reached) {
                ComponentKind kind = parent.component.kind();
                if (kind != ComponentKind.CPU && kind != ComponentKind.PCI_SWITCH) {
                    continue;
                }
                for (int id : topology.linksOf(parent.component.id())) {
                    Component below = topology.component(topology.link(id).other(parent.component.id()));
                    if (below.node() == node && nests(below.kind()) && !boxes.containsKey(below.id())) {
                        next.add(add(below, parent, fastest(parent.component, below)));
                    }
                }
            }
            reached = next;
        }
    }

    private TopologyLink fastest(Component a, Component b) {
        TopologyLink fastest = null;
        for (int id : topology.linksOf(a.id())) {
            TopologyLink link = topology.link(id);
            if (link.other(a.id()) == b.id() && (fastest == null || link.forward() > fastest.forward())) {
                fastest = link;
            }
        }
        return fastest;
    }

    private List<String> lines(Box box) {
        Component component = box.component;
        Map<String, String> attributes = component.attributes();
        List<String> lines = new ArrayList<>();
        switch (component.kind()) {
            case CPU -> cpuLines(component, lines);
            case GPU -> {
                if (attributes.containsKey("sm") || attributes.containsKey("gcn")) {
                    lines.add(attributes.containsKey("gcn") ? attributes.get("gcn") : "sm " + attributes.get("sm"));
                }
                if (attributes.containsKey("busid")) {
                    lines.add(attributes.get("busid"));
                }
            }
            case NIC, NTB -> {
                if (attributes.containsKey("name")) {
                    lines.add(attributes.get("name"));
                }
                if (attributes.containsKey("speed")) {
                    lines.add(RateLabel.gigabytes(Double.parseDouble(attributes.get("speed")) * 1e6) + " Gbit/s");
                }
            }
            default -> {}
        }
        otherLinks(box, lines);
        return lines;
    }

    private void cpuLines(Component cpu, List<String> lines) {
        int cores = 0;
        int caches = 0;
        List<Integer> reached = new ArrayList<>(List.of(cpu.id()));
        for (int i = 0; i < reached.size(); i++) {
            for (int id : topology.linksOf(reached.get(i))) {
                TopologyLink link = topology.link(id);
                Component part = topology.component(link.other(reached.get(i)));
                if (reached.contains(part.id())) {
                    continue;
                }
                if (part.kind() == ComponentKind.MEMORY) {
                    String bytes = part.attributes().get("bytes");
                    lines.add("memory" + (bytes == null ? "" : " " + (Long.parseLong(bytes) >> 30) + " GiB") + ", "
                        + RateLabel.of(link, cpu.id()));
                    reached.add(part.id());
                } else if (part.kind() == ComponentKind.CACHE || part.kind() == ComponentKind.CORE) {
                    cores += part.kind() == ComponentKind.CORE ? 1 : 0;
                    caches += part.kind() == ComponentKind.CACHE ? 1 : 0;
                    reached.add(part.id());
                }
            }
        }
        if (cores > 0) {
            lines.add(0, cores + (cores == 1 ? " core" : " cores")
                + (caches > 0 ? ", " + caches + (caches == 1 ? " shared cache" : " shared caches") : ""));
        } else if (cpu.attributes().containsKey("cpus")) {
            lines.add(0, CpuSet.parseList(cpu.attributes().get("cpus")).size() + " processors");
        }
    }

    /** Links to the network and second links to the surrounding box: the picture has no lines for them. */
    private void otherLinks(Box box, List<String> lines) {
        for (int id : topology.linksOf(box.component.id())) {
            TopologyLink link = topology.link(id);
            Component far = topology.component(link.other(box.component.id()));
            if (link.kind() == LinkKind.NETWORK || link.kind() == LinkKind.NTB) {
                lines.add("net " + RateLabel.of(link, box.component.id()));
            } else if (box.up != null && link != box.up && box.up.other(box.component.id()) == far.id()) {
                lines.add(RateLabel.kind(link.kind()) + " " + RateLabel.of(link, box.component.id()));
            }
        }
    }
}

package org.brigade.topology.drawing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.brigade.picture.Svg;
import org.brigade.picture.Svg.Anchor;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.model.TopologyLink;

/**
 * A topology as a picture: nested boxes as in PCI, NVLinks below, rates in GB/s at each link. Equal nodes are drawn
 * once. The SVG is self-contained, and the same for the same topology.
 */
public final class TopologyDrawing {
    private static final double MARGIN = 16;
    private static final double BETWEEN_CPUS = 78;
    private static final double TRACK = 15;
    private static final double BAR = 26;
    private static final String INK = "#222222";
    private static final String FAINT = "#666666";
    private static final String WIRE = "#7a7a7a";
    private static final String GREEN = "#3c8d2f";
    private static final String BLUE = "#2f5f8d";

    private final Topology topology;
    private final Svg svg = new Svg();
    private double right;
    private double y = MARGIN;

    private TopologyDrawing(Topology topology) {
        this.topology = topology;
    }

    /** A complete SVG document. */
    public static String svg(Topology topology) {
        return new TopologyDrawing(topology).draw();
    }

    private String draw() {
        svg.bold(MARGIN, y + 12, 15, Anchor.START, INK, topology.name());
        right = MARGIN + Svg.widthOf(topology.name(), 15);
        y += 26;
        for (NodeShape shape : NodeShape.of(topology)) {
            node(shape);
        }
        network();
        return svg.size(right + MARGIN, y + MARGIN).title(topology.name()).toString();
    }

    private void node(NodeShape shape) {
        NodeBoxes boxes = new NodeBoxes(topology, shape.nodes().get(0), shape.components());
        svg.bold(MARGIN, y + 12, 12, Anchor.START, FAINT, shape.title());
        right = Math.max(right, MARGIN + Svg.widthOf(shape.title(), 12));
        y += 22;
        List<Component> cpus =
            shape.components().stream().filter(component -> component.kind() == ComponentKind.CPU).toList();
        cpuBar(cpus);
        double gap = cpus.size() == 2 ? BETWEEN_CPUS : 3 * Box.GAP;
        double left = MARGIN;
        double lowest = y;
        for (Box box : boxes.outermost) {
            box.measure();
            box.place(left, y);
            left += box.width + gap;
            lowest = Math.max(lowest, box.bottom());
        }
        right = Math.max(right, left - gap);
        if (cpus.size() == 2) {
            twoCpus(boxes.of(cpus.get(0).id()), boxes.of(cpus.get(1).id()));
        }
        boxes.outermost.forEach(this::box);
        y = lowest;
        nvLinks(shape, boxes);
        y += 14;
    }

    private void twoCpus(Box a, Box b) {
        for (int id : topology.linksOf(a.component.id())) {
            TopologyLink link = topology.link(id);
            if (link.other(a.component.id()) == b.component.id()) {
                double middle = a.y + 14;
                svg.line(a.x + a.width, middle, b.x, middle, BLUE, 3);
                svg.text((a.x + a.width + b.x) / 2, middle - 5, 10, Anchor.MIDDLE, BLUE,
                    Svg.fitting(RateLabel.of(link, a.component.id()), 10, BETWEEN_CPUS));
            }
        }
    }

    /** The links between more than two CPUs, in words. */
    private void cpuBar(List<Component> cpus) {
        if (cpus.size() < 3) {
            return;
        }
        Map<String, List<String>> pairs = new LinkedHashMap<>();
        int count = 0;
        for (Component cpu : cpus) {
            for (int id : topology.linksOf(cpu.id())) {
                TopologyLink link = topology.link(id);
                Component far = topology.component(link.other(cpu.id()));
                if (link.a() == cpu.id() && far.kind() == ComponentKind.CPU && far.node() == cpu.node()) {
                    pairs.computeIfAbsent(RateLabel.of(link, cpu.id()), key -> new ArrayList<>())
                        .add(cpu.name() + "-" + far.name());
                    count++;
                }
            }
        }
        boolean all = count == cpus.size() * (cpus.size() - 1) / 2 && pairs.size() == 1;
        for (Map.Entry<String, List<String>> entry : pairs.entrySet()) {
            String text =
                "between CPUs " + entry.getKey() + (all ? ", every pair" : ": " + String.join(", ", entry.getValue()));
            svg.text(MARGIN, y + 10, 10, Anchor.START, BLUE, text);
            right = Math.max(right, MARGIN + Svg.widthOf(text, 10));
            y += 16;
        }
    }

    private void box(Box box) {
        String tip = box.component.path() + " " + box.component.attributes();
        svg.box(box.x, box.y, box.width, box.height, fill(box.component.kind()), "#888888", tip);
        svg.bold(box.x + Box.INDENT, box.y + 15, Box.NAME, Anchor.START, INK, box.component.name());
        double line = box.y + 15;
        for (String text : box.lines) {
            line += 12;
            svg.text(box.x + Box.INDENT, line, Box.WORDS, Anchor.START, FAINT, text);
        }
        for (List<Box> row : box.rows) {
            double wire = row.get(0).y - Box.STUB + 5;
            svg.line(box.x + Box.GAP, box.y + box.headerHeight(), box.x + Box.GAP, wire, WIRE, 1.5);
            svg.line(box.x + Box.GAP, wire, row.get(row.size() - 1).x + 8, wire, WIRE, 1.5);
            for (Box below : row) {
                svg.line(below.x + 8, wire, below.x + 8, below.y, WIRE, 1.5);
                svg.text(below.x + 12, below.y - 3, Box.RATE, Anchor.START, FAINT, below.upLabel());
            }
            row.forEach(this::box);
        }
    }

    private void nvLinks(NodeShape shape, NodeBoxes boxes) {
        Tracks tracks = new Tracks();
        Map<Integer, List<TopologyLink>> switches = new LinkedHashMap<>();
        for (Component component : shape.components()) {
            for (int id : topology.linksOf(component.id())) {
                TopologyLink link = topology.link(id);
                Component far = topology.component(link.other(component.id()));
                Box a = boxes.of(component.id());
                Box b = boxes.of(far.id());
                if (a != null && far.kind() == ComponentKind.NVSWITCH) {
                    switches.computeIfAbsent(far.id(), key -> new ArrayList<>()).add(link);
                } else if (link.a() == component.id() && a != null && b != null
                    && a.component.kind() != ComponentKind.CPU && b.component.kind() != ComponentKind.CPU
                    && link != a.up && link != b.up) {
                    tracks.add(a, b, RateLabel.of(link, link.a()));
                }
            }
        }
        if (tracks.joinsAllAlike()) {
            everyPair(tracks);
        } else if (!tracks.tracks.isEmpty()) {
            tracks.lay();
            double top = y + 12;
            for (Tracks.Track track : tracks.tracks) {
                double across = top + track.level * TRACK;
                svg.line(track.left, track.from.bottom(), track.left, across, GREEN, 1.3);
                svg.line(track.left, across, track.right, across, GREEN, 1.3);
                svg.line(track.right, track.to.bottom(), track.right, across, GREEN, 1.3);
            }
            for (Tracks.Track track : tracks.tracks) {
                svg.label((track.left + track.right) / 2, top + track.level * TRACK + 3, 9, GREEN, track.label);
            }
            y = top + (tracks.levels - 1) * TRACK + 6;
        }
        switches.forEach((id, links) -> nvSwitch(topology.component(id), links, boxes));
    }

    /** One dashed bar for many GPUs that are all linked to each other. */
    private void everyPair(Tracks tracks) {
        double top = y + 18;
        double left = Double.MAX_VALUE;
        double end = 0;
        for (Box gpu : tracks.boxes()) {
            svg.line(gpu.middle(), gpu.bottom(), gpu.middle(), top, GREEN, 3);
            left = Math.min(left, gpu.x);
            end = Math.max(end, gpu.x + gpu.width);
        }
        svg.dashed(left, top, end - left, BAR, GREEN);
        svg.bold((left + end) / 2, top + 17, 11, Anchor.MIDDLE, INK,
            Svg.fitting("direct links between every pair: " + tracks.tracks.get(0).label, 11, end - left - 8));
        y = top + BAR;
    }

    private void nvSwitch(Component nvSwitch, List<TopologyLink> links, NodeBoxes boxes) {
        double top = y + 18;
        double left = Double.MAX_VALUE;
        double end = 0;
        TreeSet<String> rates = new TreeSet<>();
        for (TopologyLink link : links) {
            Box gpu = boxes.of(link.other(nvSwitch.id()));
            svg.line(gpu.middle(), gpu.bottom(), gpu.middle(), top, GREEN, 3);
            left = Math.min(left, gpu.x);
            end = Math.max(end, gpu.x + gpu.width);
            rates.add(RateLabel.of(link, link.other(nvSwitch.id())));
        }
        svg.box(left, top, end - left, BAR, fill(ComponentKind.NVSWITCH), GREEN,
            nvSwitch.path() + " " + nvSwitch.attributes());
        if (rates.size() > 1) {
            for (TopologyLink link : links) {
                Box gpu = boxes.of(link.other(nvSwitch.id()));
                svg.text(gpu.middle() + 4, top - 4, 9, Anchor.START, GREEN,
                    Svg.fitting(RateLabel.of(link, gpu.component.id()), 9, gpu.width / 2));
            }
        }
        svg.bold((left + end) / 2, top + 17, 11, Anchor.MIDDLE, INK, Svg.fitting(
            nvSwitch.name() + (rates.size() == 1 ? ": " + rates.first() + " to each GPU" : ""), 11, end - left - 8));
        y = top + BAR;
    }

    /** Switches between nodes: their number by name, and the rates of the links among them. */
    private void network() {
        Map<String, Integer> switches = new LinkedHashMap<>();
        for (Component component : topology.of(ComponentKind.SWITCH)) {
            switches.merge(stem(component.name()), 1, Integer::sum);
        }
        if (switches.isEmpty()) {
            return;
        }
        Map<String, Integer> links = new LinkedHashMap<>();
        for (TopologyLink link : topology.links()) {
            Component a = topology.component(link.a());
            Component b = topology.component(link.b());
            if (a.kind() == ComponentKind.SWITCH && b.kind() == ComponentKind.SWITCH) {
                links.merge(stem(a.name()) + "-" + stem(b.name()) + " " + RateLabel.of(link, link.a()), 1,
                    Integer::sum);
            }
        }
        List<String> words = new ArrayList<>();
        switches.forEach((name, count) -> words.add(name + (count == 1 ? "" : " x " + count)));
        links.forEach((name, count) -> words.add(name + (count == 1 ? "" : " x " + count)));
        String text = "network: " + String.join("; ", words);
        right = Math.max(right, MARGIN + Svg.widthOf(text, 11) + 20);
        svg.box(MARGIN, y, right - MARGIN, BAR, fill(ComponentKind.SWITCH), "#888888", "");
        svg.bold(MARGIN + 8, y + 17, 11, Anchor.START, INK, text);
        y += BAR;
    }

    private static String stem(String name) {
        int end = name.length();
        while (end > 0 && Character.isDigit(name.charAt(end - 1))) {
            end--;
        }
        return end == 0 ? name : name.substring(0, end);
    }

    private static String fill(ComponentKind kind) {
        return switch (kind) {
            case CPU -> "#eef2f7";
            case PCI_SWITCH -> "#fafafa";
            case GPU -> "#d9efd3";
            case NVSWITCH -> "#c3e2ba";
            case NIC, NTB -> "#fbe6cc";
            case SWITCH -> "#f3dcc0";
            default -> "#ffffff";
        };
    }
}

package org.brigade.topology.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A topology in a few lines of text. */
public final class TopologySummary {
    /** The kinds in the order of the text; memory comes last, in bytes. */
    private static final ComponentKind[] ORDER = {ComponentKind.CPU, ComponentKind.CORE, ComponentKind.CACHE,
        ComponentKind.PCI_SWITCH, ComponentKind.GPU, ComponentKind.NVSWITCH,
        ComponentKind.NIC, ComponentKind.NTB, ComponentKind.SWITCH};

    private TopologySummary() {
    }

    /**
     * The components; then the links by kind and by kinds of their ends, with rates:
     * {@code NVLink gpu - nvswitch 371 GB/s x
     * 8}.
     */
    public static List<String> lines(Topology topology) {
        List<String> lines = new ArrayList<>();
        lines.add(counts(topology));
        Map<String, Integer> links = new LinkedHashMap<>();
        for (TopologyLink link : topology.links()) {
            if (link.kind() != LinkKind.CHIP && link.forward() < 1e12) {
                String ends =
                    topology.component(link.a()).kind().word() + " - " + topology.component(link.b()).kind().word();
                String rate = link.forward() == link.backward() ? gigabytes(link.forward())
                    : gigabytes(link.forward()) + " and " + gigabytes(link.backward());
                links.merge(word(link.kind()) + " " + ends + " " + rate + " GB/s", 1, Integer::sum);
            }
        }
        links.forEach((text, count) -> lines.add(text + (count == 1 ? "" : " x " + count)));
        return lines;
    }

    private static String counts(Topology topology) {
        StringBuilder text = new StringBuilder(topology.nodes() > 1 ? topology.nodes() + " nodes, " : "");
        String comma = "";
        for (ComponentKind kind : ORDER) {
            int count = topology.of(kind).size();
            if (count > 0) {
                text.append(comma).append(count).append(' ').append(name(kind, count));
                comma = ", ";
            }
        }
        long bytes = 0;
        for (Component memory : topology.of(ComponentKind.MEMORY)) {
            bytes += Long.parseLong(memory.attributes().getOrDefault("bytes", "0"));
        }
        return bytes == 0 ? text.toString() : text + ", " + (bytes >> 30) + " GiB";
    }

    private static String name(ComponentKind kind, int count) {
        String word = switch (kind) {
            case CPU, GPU, NIC, NTB -> kind.name();
            case PCI_SWITCH -> "PCIe switch";
            case NVSWITCH -> "NVSwitch";
            case CACHE -> "shared cache";
            default -> kind.word();
        };
        return count == 1 ? word : word.endsWith("ch") ? word + "es" : word + "s";
    }

    private static String word(LinkKind kind) {
        return switch (kind) {
            case PCI -> "PCIe";
            case NVLINK -> "NVLink";
            case C2C, CPU, NTB -> kind.name();
            default -> kind.word();
        };
    }

    private static String gigabytes(double rate) {
        String text = String.format(Locale.ROOT, "%.3g", rate / 1e9);
        double value = Double.parseDouble(text);
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}

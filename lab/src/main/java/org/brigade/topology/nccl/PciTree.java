package org.brigade.topology.nccl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.nccl.PciPart.Kind;
import org.brigade.topology.xml.XmlNode;

/**
 * Reads the {@code pci} elements of one host. As in NCCL, a device's children decide its kind before its class does, a
 * Broadcom switch that appears as two levels becomes one switch, and bridges with nothing below are left out. Unlike in
 * NCCL, a bridge with one part below is no component but a piece of that part's wire, whose rate is the least on the
 * path.
 */
final class PciTree {
    private static final int DOLPHIN = 0x11c8;

    private final String source;
    /** Whether the class identifies GPUs, or adapters, as in a file without such elements. */
    private final boolean gpusByClass;
    private final boolean nicsByClass;
    /**
     * Whether some GPU of the file has a rank in a communicator; then GPUs without a rank are left out, as NCCL does.
     */
    private final boolean ranked;
    private final List<String> notes;
    /** By address: the first part, or the device if a bridge has the same address. */
    private final Map<String, PciPart> seen = new HashMap<>();

    PciTree(String source, boolean gpusByClass, boolean nicsByClass, boolean ranked, List<String> notes) {
        this.source = source;
        this.gpusByClass = gpusByClass;
        this.nicsByClass = nicsByClass;
        this.ranked = ranked;
        this.notes = notes;
    }

    /** The parts below a {@code cpu}, simplified. */
    List<PciPart> below(XmlNode cpu) {
        return joined(parts(cpu));
    }

    private List<PciPart> parts(XmlNode parent) {
        List<PciPart> parts = new ArrayList<>();
        for (XmlNode child : parent.children("pci")) {
            PciPart part = part(child);
            if (part != null) {
                parts.add(part);
            }
        }
        return parts;
    }

    private PciPart part(XmlNode element) {
        NcclAttributes pci = new NcclAttributes(source, element);
        String busId = pci.busId("busid");
        if (!pci.has("class")) {
            throw pci.wrong("<pci> has no class, which NCCL would look up for " + busId
                + " on the machine itself; add it (0x060400 for a bridge, 0x030200 for a GPU, "
                + "0x020700 for InfiniBand)");
        }
        int width = pci.integer("link_width", 0);
        if (width < 0 || width > 64) {
            throw pci.wrong("link_width=\"" + width + "\": PCI has 1 to 32 lanes, 0 means unknown; correct it");
        }
        double rate = NcclRates.pci(pci.text("link_speed", ""), width);
        Kind kind = kind(element, pci);
        if (kind == null) {
            return null;
        }
        PciPart part = new PciPart(element, kind, busId, rate);
        unique(part, pci);
        if (kind == Kind.SWITCH) {
            part.below = flattened(element, parts(element));
            return part.below.isEmpty() ? null : part;
        }
        return part;
    }

    /**
     * Two devices with one address are an error. Bridges with one address occur in public files and are harmless: links
     * name only devices.
     */
    private void unique(PciPart part, NcclAttributes pci) {
        PciPart first = seen.putIfAbsent(part.busId, part);
        if (first == null) {
            return;
        }
        if (first.kind == Kind.SWITCH || part.kind == Kind.SWITCH) {
            notes.add(pci.place() + ": busid " + part.busId + " is already that of line " + first.element.line()
                + "; both are taken");
            if (first.kind == Kind.SWITCH) {
                seen.put(part.busId, part);
            }
            return;
        }
        throw pci.wrong("busid " + part.busId + " is already that of line " + first.element.line()
            + "; no two devices of a host share one: correct it");
    }

    /** Null for an element that is no part of the graph. */
    private Kind kind(XmlNode element, NcclAttributes pci) {
        String code = pci.text("class");
        boolean dolphin = pci.integer("vendor", 0) == DOLPHIN;
        if (element.child("gpu") != null) {
            if (ranked && element.child("gpu").attribute("rank") == null) {
                notes.add(pci.place()
                    + ": this GPU has no rank where others have: it is not of the communicator, and left out");
                return null;
            }
            return Kind.GPU;
        }
        if (element.child("nic") != null) {
            return dolphin || code.startsWith("0x0680") ? Kind.NTB : Kind.NIC;
        }
        return switch (NcclRates.deviceClass(code)) {
            case BRIDGE -> dolphin ? Kind.NTB : Kind.SWITCH;
            case GPU -> gpusByClass ? Kind.GPU : null;
            case NIC -> nicsByClass ? Kind.NIC : null;
            case NVSWITCH, CPU -> dolphin ? Kind.NTB : null;
        };
    }

    /**
     * The parts below a switch, and those below its own second level. That level's links have the rates of the outer
     * ports, as in NCCL.
     */
    private static List<PciPart> flattened(XmlNode above, List<PciPart> parts) {
        int generation = broadcom(above, 0);
        if (generation == 0) {
            return parts;
        }
        List<PciPart> flat = new ArrayList<>();
        for (PciPart part : parts) {
            if (part.kind == Kind.SWITCH && broadcom(part.element, 1) == generation) {
                flat.addAll(part.below);
            } else {
                flat.add(part);
            }
        }
        return flat;
    }

    /** The PCIe generation of a Broadcom switch that shows its inner level, 0 for other elements. */
    private static int broadcom(XmlNode element, int level) {
        long id = id(element, "vendor") << 48 | id(element, "device") << 32 | id(element, "subsystem_vendor") << 16
            | id(element, "subsystem_device");
        long family = id & ~0xfffL;
        if (family == 0x1000c0101000a000L) {
            return 4;
        }
        return family == (0x1000c03010000000L | level * 0x1000L) ? 5 : 0;
    }

    private static long id(XmlNode element, String key) {
        String text = element.attribute(key);
        try {
            return text == null ? 0 : Integer.decode(text.trim()) & 0xffff;
        } catch (NumberFormatException e) {
            return 0; // only matters for recognising a Broadcom switch
        }
    }

    /** Joins bridges with one part below to its link, except for a link to a twin. */
    private static List<PciPart> joined(List<PciPart> parts) {
        List<PciPart> joined = new ArrayList<>();
        for (PciPart part : parts) {
            PciPart end = part;
            List<String> bridges = new ArrayList<>();
            double rate = part.rate;
            while (end.kind == Kind.SWITCH && end.below.size() == 1 && end.element.child("pcilink") == null) {
                bridges.add(end.busId);
                end = end.below.get(0);
                rate = Math.min(rate, end.rate);
            }
            end.rate = rate;
            end.bridges.addAll(bridges);
            end.below = joined(end.below);
            joined.add(end);
        }
        return joined;
    }
}

package org.brigade.topology.nccl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.brigade.topology.model.Component;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.LinkEstimates;
import org.brigade.topology.model.LinkKind;
import org.brigade.topology.model.Topology;
import org.brigade.topology.nccl.NcclRates.DeviceClass;
import org.brigade.topology.xml.XmlNode;

/**
 * The links beside PCI: NVLink and xGMI, C2C, and Broadcom's between switches. They name their other end by its
 * address, so they are added when all devices are known.
 */
final class NvLinks {
    /** NVML's address for a far end that is hidden from a virtual machine: an NVSwitch. */
    private static final String NOT_SHOWN = "fffffff:ffff:ff";

    private record Gpu(PciPart part, Component component, Component cpu) {
    }

    private record Switch(PciPart part, Component component) {
    }

    /** Two components. */
    private record Way(int from, int to) {
    }

    private final String source;
    private final Topology.Builder builder;
    private final List<String> notes;
    private final List<Gpu> gpus = new ArrayList<>();
    private final List<Switch> switches = new ArrayList<>();
    /** By host and address. */
    private final Map<String, Component> gpuAt = new HashMap<>();
    private final Map<String, Component> switchAt = new HashMap<>();
    /** Bytes/s from GPU to GPU. */
    private final Map<Way, Double> between = new LinkedHashMap<>();
    private final Map<Integer, Component> components = new HashMap<>();
    private final Map<Component, Double> toSwitch = new LinkedHashMap<>();
    private final Set<String> nvSwitches = new LinkedHashSet<>();

    NvLinks(String source, Topology.Builder builder, List<String> notes) {
        this.source = source;
        this.builder = builder;
        this.notes = notes;
    }

    void gpu(PciPart part, Component component, Component cpu) {
        gpus.add(new Gpu(part, component, cpu));
        gpuAt.put(component.node() + "/" + part.busId, component);
    }

    void pciSwitch(PciPart part, Component component) {
        switches.add(new Switch(part, component));
        switchAt.put(component.node() + "/" + part.busId, component);
    }

    void add() {
        for (Gpu gpu : gpus) {
            XmlNode element = gpu.part.element.child("gpu");
            if (element != null) {
                for (XmlNode link : element.children()) {
                    switch (link.name()) {
                        case "nvlink" ->
                            link(gpu, link, NcclRates.nvlink(new NcclAttributes(source, element).integer("sm")));
                        case "xgmi" -> link(gpu, link, NcclRates.xgmi(new NcclAttributes(source, element).text("gcn")));
                        case "c2c" -> chipToChip(gpu, link);
                        default -> {}
                    }
                }
            }
        }
        joinGpus();
        joinSwitch();
        Set<Way> joined = new HashSet<>();
        for (Switch pci : switches) {
            joinTwins(pci, joined);
        }
    }

    private void link(Gpu gpu, XmlNode element, double each) {
        NcclAttributes link = new NcclAttributes(source, element);
        double rate = link.integerFrom("count", 1) * each;
        String target = link.text("target", NOT_SHOWN).toLowerCase(Locale.ROOT);
        switch (farEnd(link, gpu, target)) {
            case GPU -> {
                Component peer = gpuAt.get(gpu.component.node() + "/" + link.busId("target"));
                if (peer == null) {
                    notes.add(
                        link.place() + ": a link to " + target + ", where the file has no GPU: left out, as NCCL does");
                } else if (peer != gpu.component) {
                    components.put(peer.id(), peer);
                    components.put(gpu.component.id(), gpu.component);
                    between.merge(new Way(gpu.component.id(), peer.id()), rate, Double::sum);
                } else {
                    notes.add(link.place() + ": a GPU's link to itself: left out");
                }
            }
            case CPU -> builder.link(LinkKind.NVLINK, gpu.component, gpu.cpu, rate, LinkEstimates.NVLINK_LATENCY);
            default -> { // as in NCCL, anything that is neither GPU nor CPU is an NVSwitch
                toSwitch.merge(gpu.component, rate, Double::sum);
                nvSwitches.add(target);
            }
        }
    }

    private DeviceClass farEnd(NcclAttributes link, Gpu gpu, String target) {
        if (link.has("tclass")) {
            return NcclRates.deviceClass(link.text("tclass"));
        }
        if (target.equals(NOT_SHOWN)) {
            return DeviceClass.NVSWITCH;
        }
        if (gpuAt.containsKey(gpu.component.node() + "/" + target)) {
            return DeviceClass.GPU;
        }
        throw link.wrong("a link to " + target
            + " without tclass, which NCCL would look up on the machine itself; add tclass (0x0302 GPU,"
            + " 0x068000 NVSwitch, 0x068001 CPU)");
    }

    private void chipToChip(Gpu gpu, XmlNode element) {
        NcclAttributes link = new NcclAttributes(source, element);
        double rate = 1e6 * link.integerFrom("bw", 1) * link.integerFrom("count", 1);
        builder.link(LinkKind.C2C, gpu.component, gpu.cpu, rate, LinkEstimates.C2C_LATENCY);
    }

    /** A link that only one end lists gets its rate in both directions: the wires exist. */
    private void joinGpus() {
        for (Map.Entry<Way, Double> entry : between.entrySet()) {
            Way way = entry.getKey();
            Double back = between.get(new Way(way.to, way.from));
            if (back == null || way.from < way.to) {
                builder.link(LinkKind.NVLINK, components.get(way.from), components.get(way.to), entry.getValue(),
                    back == null ? entry.getValue() : back, false,
                    LinkEstimates.NVLINK_LATENCY);
            }
        }
    }

    private void joinSwitch() {
        if (toSwitch.isEmpty()) {
            return;
        }
        Set<Integer> nodes = new LinkedHashSet<>();
        toSwitch.keySet().forEach(gpu -> nodes.add(gpu.node()));
        Component nvSwitch = builder.add(ComponentKind.NVSWITCH,
            nodes.size() == 1 ? nodes.iterator().next() : Component.NETWORK, "nvswitch0",
            nvSwitches.contains(NOT_SHOWN) ? Map.of() : Map.of("busids", String.join(" ", nvSwitches)));
        toSwitch
            .forEach((gpu, rate) -> builder.link(LinkKind.NVLINK, gpu, nvSwitch, rate, LinkEstimates.NVSWITCH_LATENCY));
    }

    private void joinTwins(Switch pci, Set<Way> joined) {
        for (XmlNode element : pci.part.element.children("pcilink")) {
            NcclAttributes link = new NcclAttributes(source, element);
            Component twin = switchAt.get(pci.component.node() + "/" + link.busId("target"));
            if (twin == null || twin.id() == pci.component.id()) {
                notes.add(link.place() + ": a link to " + link.busId("target")
                    + ", where the file has no other switch: left out, as NCCL does");
            } else if (joined.add(
                new Way(Math.min(pci.component.id(), twin.id()), Math.max(pci.component.id(), twin.id())))) {
                // Both ends tell of the link; it is one.
                builder.link(LinkKind.PCI, pci.component, twin, NcclRates.LOCAL, LinkEstimates.PCI_LATENCY);
            }
        }
    }
}

package org.brigade.topology.discovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.brigade.topology.system.NumaNode;
import org.brigade.topology.system.SystemFiles;
import org.brigade.topology.xml.XmlNode;
import org.brigade.transport.sisci.adapter.AdapterSlot;

/** Makes the NCCL document of a machine from the kernel's files and the GPUs' drivers. */
final class SystemDocument {
    private static final String[] SPEEDS =
        {"", "2.5 GT/s PCIe", "5.0 GT/s PCIe", "8.0 GT/s PCIe", "16.0 GT/s PCIe", "32.0 GT/s PCIe", "64.0 GT/s PCIe"};
    /** NCCL's limit for a value: a map of 896 processors. NCCL can do without the map. */
    private static final int LONGEST = 253;
    private static final String NVSWITCH = "0x068000";
    private static final String GPU = "0x030200";

    /** A pci element while the devices below it are being collected. */
    private static final class Part {
        final PciDevice device;
        final List<XmlNode> own = new ArrayList<>();
        final Map<String, Part> below = new TreeMap<>();
        GpuFacts gpu;

        Part(PciDevice device) {
            this.device = device;
        }
    }

    private final List<NumaNode> nodes;
    private final CpuIdentity cpu;
    private final Map<String, PciDevice> devices = new LinkedHashMap<>();
    private final Map<String, GpuFacts> gpus = new LinkedHashMap<>();
    private final NetPorts nets;
    /** By address; and by NUMA node the parts at its root ports. */
    /** By address: SISCI's adapters. */
    private final Map<String, AdapterSlot> adapters = new HashMap<>();
    private final Map<String, Part> parts = new HashMap<>();
    private final Map<Integer, Map<String, Part>> roots = new HashMap<>();

    SystemDocument(SystemFiles files, List<NumaNode> nodes, CpuIdentity cpu, List<GpuFacts> gpus,
        List<AdapterSlot> slots) {
        this.nodes = nodes;
        this.cpu = cpu;
        nets = new NetPorts(files);
        for (PciDevice device : PciDevice.all(files)) {
            devices.put(device.busId, device);
        }
        for (AdapterSlot slot : slots) {
            // The library knows no domains: it is the device of the first domain, or the only one with this address.
            List<String> fitting = devices.keySet().stream().filter(id -> id.endsWith(":" + slot.address())).sorted()
                .toList();
            String first = "0000:" + slot.address();
            if (fitting.size() == 1 || fitting.contains(first)) {
                adapters.put(fitting.contains(first) ? first : fitting.get(0), slot);
            }
        }
        for (GpuFacts gpu : gpus) {
            this.gpus.put(gpu.busId(), gpu);
        }
    }

    XmlNode build() {
        int number = gpus.size();
        for (PciDevice device : devices.values()) {
            switch (adapters.containsKey(device.busId) ? PciDevice.Kind.NTB : device.kind()) {
                case GPU -> {
                    Part part = part(device);
                    part.gpu = gpus.remove(device.busId);
                    part.own.add(part.gpu == null
                        ? new XmlNode("gpu", Map.of("dev", Integer.toString(number++)), List.of(), 0) : gpu(part.gpu));
                }
                case NIC -> part(device).own.add(new XmlNode("nic", Map.of(), nets.of(device.busId), 0));
                case NTB -> part(device).own.add(new XmlNode("nic", Map.of(), ntb(device), 0));
                case OTHER -> {}
            }
        }
        List<XmlNode> cpus = new ArrayList<>();
        for (NumaNode node : nodes) {
            List<XmlNode> below = new ArrayList<>();
            for (Part part : roots.getOrDefault(node.id(), Map.of()).values()) {
                below.add(pci(part));
            }
            if (node == nodes.get(0)) {
                gpus.values().forEach(hidden -> below.add(hidden(hidden)));
            }
            cpus.add(new XmlNode("cpu", cpu(node), below, 0));
        }
        return new XmlNode("system", Map.of("version", "1"), cpus, 0);
    }

    /**
     * The part of a device, with the parts above it. As NCCL does, it goes up two steps at a time: a switch is
     * identified by its upstream port; downstream ports and the root complex's ports are no parts.
     */
    private Part part(PciDevice device) {
        Part known = parts.get(device.busId);
        if (known != null) {
            return known;
        }
        Part part = new Part(device);
        parts.put(device.busId, part);
        List<String> way = device.way();
        PciDevice above = way.size() > 2 ? devices.get(way.get(way.size() - 3)) : null;
        if (above == null) {
            roots.computeIfAbsent(numa(device), key -> new TreeMap<>()).put(device.busId, part);
        } else {
            part(above).below.put(device.busId, part);
        }
        return part;
    }

    /** The kernel's NUMA node, or the first if the kernel names none, or one without processors. */
    private int numa(PciDevice device) {
        int numa = device.numaNode();
        for (NumaNode node : nodes) {
            if (node.id() == numa) {
                return numa;
            }
        }
        return nodes.get(0).id();
    }

    private Map<String, String> cpu(NumaNode node) {
        Map<String, String> attributes = attributes("numaid", node.id());
        String affinity = node.processors().toMap(1);
        if (affinity.length() <= LONGEST) {
            attributes.put("affinity", affinity);
        }
        attributes.put("arch", cpu.arch());
        if (!cpu.vendor().isEmpty()) {
            attributes.putAll(
                attributes("vendor", cpu.vendor(), "familyid", cpu.family(), "modelid", cpu.model()));
        }
        return attributes;
    }

    /** Names and values by turns. */
    static Map<String, String> attributes(Object... words) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int i = 0; i < words.length; i += 2) {
            attributes.put((String) words[i], words[i + 1].toString());
        }
        return attributes;
    }

    private XmlNode pci(Part part) {
        PciDevice device = part.device;
        Map<String, String> attributes = attributes("busid", device.busId);
        for (String file : new String[] {"class", "vendor", "device", "subsystem_vendor", "subsystem_device"}) {
            if (!device.text(file).isEmpty()) {
                attributes.put(file, device.text(file));
            }
        }
        attributes.putIfAbsent("class", "0x060400");
        String speed = device.linkSpeed();
        int width = device.linkWidth();
        attributes.put("link_speed", speed.isEmpty() && part.gpu != null ? speed(part.gpu) : speed);
        attributes.put("link_width",
            Integer.toString(width == 0 && part.gpu != null ? Math.max(0, part.gpu.pcieWidth()) : width));
        List<XmlNode> children = new ArrayList<>(part.own);
        for (Part below : part.below.values()) {
            children.add(pci(below));
        }
        return new XmlNode("pci", attributes, children, 0);
    }

    /** A GPU that its driver knows but the kernel's files do not show, as in some containers. */
    private XmlNode hidden(GpuFacts gpu) {
        return new XmlNode("pci", attributes("busid", gpu.busId(), "class", GPU, "link_speed", speed(gpu),
            "link_width", Math.max(0, gpu.pcieWidth())), List.of(gpu(gpu)), 0);
    }

    private static String speed(GpuFacts gpu) {
        return gpu.pcieGeneration() > 0 && gpu.pcieGeneration() < SPEEDS.length ? SPEEDS[gpu.pcieGeneration()] : "";
    }

    private XmlNode gpu(GpuFacts gpu) {
        Map<String, String> attributes = attributes("dev", gpu.dev());
        if (gpu.sm() >= 0) {
            attributes.put("sm", Integer.toString(gpu.sm()));
        }
        List<XmlNode> links = new ArrayList<>();
        for (GpuFacts.NvLink link : gpu.nvLinks()) {
            links.add(new XmlNode("nvlink",
                attributes("target", link.target() == null ? "fffffff:ffff:ff" : link.target(), "count",
                    link.count(), "tclass", targetClass(link.target())),
                List.of(), 0));
        }
        if (gpu.c2cLinks() > 0 && gpu.c2cMegabytes() > 0) {
            links.add(new XmlNode("c2c", attributes("bw", gpu.c2cMegabytes(), "count", gpu.c2cLinks()), List.of(), 0));
        }
        return new XmlNode("gpu", attributes, links, 0);
    }

    private String targetClass(String target) {
        PciDevice device = target == null ? null : devices.get(target);
        if (device != null && !device.text("class").isEmpty()) {
            return device.text("class");
        }
        return target != null && gpus.containsKey(target) ? GPU : NVSWITCH;
    }

    /** Without {@code dev}: NCCL knows such a net only through a plugin. */
    private List<XmlNode> ntb(PciDevice device) {
        AdapterSlot slot = adapters.get(device.busId);
        String name = slot == null ? "ntb-" + device.busId : "sisci-" + slot.number();
        return List.of(new XmlNode("net", slot == null || slot.megabits() < 0 ? attributes("name", name)
            : attributes("name", name, "speed", slot.megabits()), List.of(), 0));
    }
}

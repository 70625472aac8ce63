package org.brigade.topology.discovery;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.brigade.topology.system.SystemFiles;
import org.brigade.topology.xml.XmlNode;

/**
 * The {@code net} elements of adapters. Adapters with InfiniBand verbs (RoCE, too) have one for each port that is up,
 * others one for each interface.
 */
final class NetPorts {
    private final SystemFiles files;
    /** By PCI address: verbs devices, interfaces. */
    private final Map<String, List<String>> verbs;
    private final Map<String, List<String>> interfaces;
    private int dev;

    NetPorts(SystemFiles files) {
        this.files = files;
        verbs = byAddress("sys/class/infiniband");
        interfaces = byAddress("sys/class/net");
    }

    private Map<String, List<String>> byAddress(String folder) {
        Map<String, List<String>> found = new HashMap<>();
        for (String name : files.names(folder)) {
            String device = files.real(folder + "/" + name + "/device");
            if (device != null) {
                String address = null; // the last one on the path: a virtio interface lies below its PCI device
                for (String part : device.split("/")) {
                    address = PciDevice.isAddress(part) ? part : address;
                }
                if (address != null) {
                    found.computeIfAbsent(address, key -> new ArrayList<>()).add(name);
                }
            }
        }
        return found;
    }

    List<XmlNode> of(String busId) {
        List<XmlNode> nets = new ArrayList<>();
        for (String name : verbs.getOrDefault(busId, List.of())) {
            String folder = "sys/class/infiniband/" + name;
            for (String port : files.names(folder + "/ports")) {
                if (files.text(folder + "/ports/" + port + "/state").endsWith("ACTIVE")) {
                    String guid = "0x" + files.text(folder + "/node_guid").replace(":", "");
                    nets.add(net(name, megabits(files.text(folder + "/ports/" + port + "/rate")), port, guid));
                }
            }
        }
        if (!verbs.containsKey(busId)) {
            for (String name : interfaces.getOrDefault(busId, List.of())) {
                nets.add(net(name, files.number("sys/class/net/" + name + "/speed", -1), "0", "0x0"));
            }
        }
        return nets;
    }

    private XmlNode net(String name, long megabits, String port, String guid) {
        return new XmlNode("net", SystemDocument.attributes("name", name, "dev", dev++, "speed", megabits, "port", port,
            "guid", guid), List.of(), 0);
    }

    /** {@code 100 Gb/sec (4X EDR)} is 100000. */
    private static long megabits(String rate) {
        int space = rate.indexOf(' ');
        try {
            return space > 0 ? Math.round(1000 * Double.parseDouble(rate.substring(0, space))) : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}

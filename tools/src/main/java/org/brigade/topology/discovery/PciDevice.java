package org.brigade.topology.discovery;

import java.util.ArrayList;
import java.util.List;
import org.brigade.topology.system.SystemFiles;

/** One PCI device from sysfs, and its place in the tree. */
final class PciDevice {
    private static final String DEVICES = "sys/bus/pci/devices/";
    private static final int DOLPHIN = 0x11c8;
    private static final int NVIDIA = 0x10de;
    private static final int AMD = 0x1002;
    private static final int INTEL = 0x8086;

    enum Kind { GPU, NIC, NTB, OTHER }

    final String busId;
    /** Its folder, relative to the root; the path names the devices above it. */
    final String folder;
    private final SystemFiles files;

    private PciDevice(String busId, String folder, SystemFiles files) {
        this.busId = busId;
        this.folder = folder;
        this.files = files;
    }

    /** All devices, by address. */
    static List<PciDevice> all(SystemFiles files) {
        List<PciDevice> devices = new ArrayList<>();
        for (String busId : files.names(DEVICES)) {
            String folder = isAddress(busId) ? files.real(DEVICES + busId) : null;
            if (folder != null) {
                devices.add(new PciDevice(busId, folder, files));
            }
        }
        return devices;
    }

    static boolean isAddress(String text) {
        int length = text.length(); // 0000:1b:00.0, or a longer domain
        return length >= 12 && text.charAt(length - 2) == '.' && text.charAt(length - 5) == ':'
            && text.charAt(length - 8) == ':';
    }

    String text(String file) {
        return files.text(folder + "/" + file);
    }

    private int id(String file) {
        return (int) files.number(folder + "/" + file, -1);
    }

    int numaNode() {
        return (int) files.number(folder + "/numa_node", -1);
    }

    /**
     * GPUs for computing (a server's console is a display adapter, too), network adapters, and non-transparent bridges:
     * Dolphin's by vendor or driver, others by the kernel's ntb bus.
     */
    Kind kind() {
        String code = text("class");
        int vendor = id("vendor");
        if (vendor == DOLPHIN || driver().startsWith("dis_") || files.exists("sys/bus/ntb/devices/" + busId)) {
            return Kind.NTB;
        }
        boolean display = code.startsWith("0x0300") || code.startsWith("0x0302") || code.startsWith("0x0380");
        if (display && (vendor == NVIDIA || vendor == AMD || vendor == INTEL && code.startsWith("0x0380"))
            || code.startsWith("0x1200") && vendor == AMD) {
            return Kind.GPU;
        }
        boolean function = files.exists(folder + "/physfn"); // a virtual function of an adapter that is listed itself
        return code.startsWith("0x02") && !function ? Kind.NIC : Kind.OTHER;
    }

    private String driver() {
        String driver = files.real(folder + "/driver");
        return driver == null ? "" : driver.substring(driver.lastIndexOf('/') + 1);
    }

    /** The addresses on the path from the root complex to this device, its own last. */
    List<String> way() {
        List<String> way = new ArrayList<>();
        for (String part : folder.split("/")) {
            if (isAddress(part)) {
                way.add(part);
            }
        }
        return way;
    }

    /** The slower of the device's and its port's best speeds, in the kernel's words; "" if both are unknown. */
    String linkSpeed() {
        String own = text("max_link_speed");
        String port = text("../max_link_speed");
        double ownRate = rate(own);
        double portRate = rate(port);
        if (ownRate == Double.MAX_VALUE && portRate == Double.MAX_VALUE) {
            return "";
        }
        return portRate < ownRate ? port : own;
    }

    private static double rate(String text) {
        int space = text.indexOf(' ');
        try {
            return space > 0 ? Double.parseDouble(text.substring(0, space)) : Double.MAX_VALUE;
        } catch (NumberFormatException unknown) {
            return Double.MAX_VALUE;
        }
    }

    /** The lesser of the device's and its port's lanes, if known (0 and 255 mean unknown); 0 if neither is. */
    int linkWidth() {
        int own = width("max_link_width");
        int port = width("../max_link_width");
        return own == 0 || port == 0 ? Math.max(own, port) : Math.min(own, port);
    }

    private int width(String file) {
        int width = id(file);
        return width >= 1 && width <= 32 ? width : 0;
    }
}

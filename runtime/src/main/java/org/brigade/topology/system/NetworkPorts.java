package org.brigade.topology.system;

import java.nio.file.Path;
import java.util.List;

/**
 * A host's fastest links to other hosts, as the kernel tells: active InfiniBand ports, else Ethernet interfaces of
 * adapters. Interfaces without an adapter, such as a container's, are left out: their rates are made up. So are those
 * of virtual machines whose adapters do not know theirs.
 *
 * @param bitsPerSecond of one link; 0 if nothing is known
 * @param count how many links of that rate there are
 * @param infiniBand whether they are InfiniBand's; else a message takes the kernel's way
 */
public record NetworkPorts(long bitsPerSecond, int count, boolean infiniBand) {
    private static final String INFINIBAND = "sys/class/infiniband";
    private static final String INTERFACES = "sys/class/net";
    private static final long MEGA = 1_000_000;
    private static final long GIGA = 1_000_000_000;

    public static NetworkPorts here() {
        return of(new SystemFiles(Path.of("/")));
    }

    static NetworkPorts of(SystemFiles files) {
        NetworkPorts found = new NetworkPorts(0, 0, true);
        for (String adapter : files.names(INFINIBAND)) {
            String ports = INFINIBAND + '/' + adapter + "/ports";
            for (String port : files.names(ports)) {
                String file = ports + '/' + port;
                if (files.text(file + "/state").endsWith("ACTIVE")) {
                    found = found.and(gigabits(files.text(file + "/rate")));
                }
            }
        }
        return found.count > 0 ? found : interfaces(files);
    }

    private static NetworkPorts interfaces(SystemFiles files) {
        NetworkPorts found = new NetworkPorts(0, 0, false);
        List<String> names = files.names(INTERFACES);
        for (String name : names) {
            String file = INTERFACES + '/' + name;
            if (files.exists(file + "/device") && files.text(file + "/operstate").equals("up")) {
                found = found.and(files.number(file + "/speed", 0) * MEGA);
            }
        }
        return found;
    }

    private NetworkPorts and(long rate) {
        return rate <= 0 || rate < bitsPerSecond ? this
            : new NetworkPorts(rate, rate > bitsPerSecond ? 1 : count + 1, infiniBand);
    }

    /** {@code 100 Gb/sec (4X EDR)}. */
    private static long gigabits(String text) {
        int end = text.indexOf(" Gb/sec");
        try {
            return end < 0 ? 0 : (long) (Double.parseDouble(text.substring(0, end)) * GIGA);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}

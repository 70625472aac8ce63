package org.brigade.simulate.wiring;

import org.brigade.topology.machine.Machines;

/**
 * Networks by name: {@code ideal:RANKS}, {@code fat-tree:HOSTS[:RATIO[:PORTS]]}, {@code reducing-fat-tree} with
 * reducing switches, {@code rails:N:} before either for N of them side by side, the machines that {@link Machines}
 * knows, or the path of a machine file. On a machine with GPUs the ranks' data are in GPU memory; {@code NAME:host} is
 * the same machine with host memory.
 */
public final class NamedWirings {
    private static final int MOST_RANKS = 1 << 20;
    /**
     * ts and B of the thresholds in Xin, Xie, Li, "Large message broadcast design for distributed machine learning"
     * (2020): FDR InfiniBand.
     */
    private static final double IDEAL_STARTUP = 2e-6;
    private static final double IDEAL_RATE = 6.8e9;

    private NamedWirings() {
    }

    /** The names that {@link #find} understands, for messages and help. */
    public static String known() {
        return "ideal:RANKS, fat-tree:HOSTS, fat-tree:HOSTS:RATIO, fat-tree:HOSTS:RATIO:PORTS,"
            + " reducing-fat-tree:HOSTS (likewise), rails:N:fat-tree:HOSTS (N of them side by side), "
            + String.join(", ", Machines.names()) + " (each also with :host), the path of a machine file";
    }

    /**
     * The network of a name.
     *
     * @throws IllegalArgumentException if there is none (names the known ones), or if its numbers are impossible
     */
    public static RoutingModel find(String name) {
        String[] parts = name.split(":", -1);
        if (parts[0].equals("rails") && parts.length > 2 && parts[2].endsWith("fat-tree")) {
            int rails = number(name, parts[1], "number of rails", RailsWiring.MOST);
            return new RailsWiring(find(name.substring(name.indexOf(':', name.indexOf(':') + 1) + 1)), rails);
        }
        if (parts[0].equals("ideal") && parts.length == 2) {
            return new IdealWiring(number(name, parts[1], "number of ranks", MOST_RANKS), IDEAL_RATE, IDEAL_STARTUP);
        }
        boolean reducing = parts[0].equals("reducing-fat-tree");
        if ((reducing || parts[0].equals("fat-tree")) && parts.length >= 2 && parts.length <= 4) {
            int hosts = number(name, parts[1], "number of hosts", MOST_RANKS);
            int ratio = parts.length > 2 ? number(name, parts[2], "ratio", FatTreeWiring.MOST_RADIX) : 1;
            int radix = parts.length > 3 ? number(name, parts[3], "number of ports", FatTreeWiring.MOST_RADIX)
                : FatTreeWiring.RADIX;
            return new FatTreeWiring(hosts, ratio, radix, reducing);
        }
        boolean host = name.endsWith(":host");
        String machine = host ? name.substring(0, name.length() - ":host".length()) : name;
        if (Machines.names().contains(machine) || Machines.isPath(machine)) {
            return host ? MachineWiring.onHosts(Machines.find(machine)) : MachineWiring.of(Machines.find(machine));
        }
        throw new IllegalArgumentException("there is no topology '" + name + "'; "
            + (name.endsWith(".xml") ? "an NCCL file is made a machine file by: brigade info --from " + name
                + " --topology here.machine" : "name one of " + known()));
    }

    private static int number(String name, String digits, String what, int most) {
        try {
            int number = Integer.parseInt(digits);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException(
            "topology '" + name + "': '" + digits + "' is no " + what + " from 1 to " + most);
    }
}

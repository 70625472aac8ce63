package org.brigade.simulate;

import java.util.List;
import java.util.Random;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.MachineReader;

/**
 * Made-up machines on which little is alike: trees and rings of PCIe switches, each link with a rate of its own, or one
 * of few, so that some things look alike that are not.
 */
final class UnequalMachines {
    private final Random random;
    private final StringBuilder figures = new StringBuilder();
    private final StringBuilder node = new StringBuilder();
    private final boolean network;
    private final int nodes;
    private int links;
    private int switches;

    private UnequalMachines(long seed) {
        random = new Random(seed);
        network = random.nextInt(3) == 0;
        nodes = network ? 3 : 1;
    }

    private UnequalMachines(long seed, int nodes) {
        random = new Random(seed);
        network = true;
        this.nodes = nodes;
    }

    /** Two or three nodes, each with one to three GPUs and one to three adapters anywhere in a tree of switches. */
    static Machine cluster(long seed) {
        UnequalMachines made = new UnequalMachines(seed, 2 + (int) Math.floorMod(seed, 2L));
        int cpus = 1 + made.random.nextInt(3);
        made.cpus(cpus);
        made.inTrees(cpus, 1 + made.random.nextInt(3));
        int adapters = 1 + made.random.nextInt(3);
        for (int nic = 0; nic < adapters; nic++) {
            made.line("nic nic" + nic + " under " + made.parent(cpus));
        }
        String text = made.head("cluster", "figure zero 0 us estimate \"made up\"\nfigure quick 100 GB/s estimate"
            + " \"made up\"\n");
        return MachineReader.read("cluster.machine", text + made.anyPolicy());
    }

    /** Two to six GPUs below one to three CPUs, hung up anywhere in a tree of switches. */
    static Machine tree(long seed) {
        UnequalMachines made = new UnequalMachines(seed);
        int cpus = made.cpus();
        made.inTrees(cpus, 2 + made.random.nextInt(5));
        return made.machine("tree");
    }

    /** Two to six GPUs at a ring of three to six switches, of which one or two hang below CPUs. */
    static Machine ring(long seed) {
        UnequalMachines made = new UnequalMachines(seed);
        int cpus = made.cpus();
        int around = 3 + made.random.nextInt(4);
        for (int i = 0; i < around; i++) {
            if (i < cpus) {
                made.line("pci-switch sw" + i + " under cpu" + i);
            } else {
                made.node.append("pci-switch sw").append(i).append('\n');
            }
        }
        for (int i = 0; i < around; i++) {
            made.line("link pci sw" + i + " sw" + (i + 1) % around);
        }
        int gpus = 2 + made.random.nextInt(5);
        for (int gpu = 0; gpu < gpus; gpu++) {
            made.line("gpu gpu" + gpu + " under sw" + made.random.nextInt(around));
        }
        return made.machine("ring");
    }

    private int cpus() {
        int cpus = 1 + random.nextInt(3);
        cpus(cpus);
        for (int cpu = 0; network && cpu < cpus; cpu++) {
            if (cpu == 0 || random.nextBoolean()) {
                line("nic nic" + cpu + " under cpu" + cpu);
            }
        }
        return cpus;
    }

    private void cpus(int cpus) {
        for (int cpu = 0; cpu < cpus; cpu++) {
            node.append("cpu cpu").append(cpu).append('\n');
            line("memory mem" + cpu + " under cpu" + cpu);
        }
        for (int cpu = 1; cpu < cpus; cpu++) {
            line("link cpu cpu" + random.nextInt(cpu) + " cpu" + cpu);
        }
    }

    private void inTrees(int cpus, int gpus) {
        int most = random.nextInt(5);
        while (switches < most) {
            line("pci-switch sw" + switches + " under " + parent(cpus));
            switches++;
        }
        for (int gpu = 0; gpu < gpus; gpu++) {
            line("gpu gpu" + gpu + " under " + parent(cpus));
        }
    }

    private String parent(int cpus) {
        int chosen = random.nextInt(cpus + switches);
        return chosen < cpus ? "cpu" + chosen : "sw" + (chosen - cpus);
    }

    /** With a rate for each direction, mostly one that others have as well. */
    private void line(String begin) {
        String rate = " rate " + rate();
        String more = begin.startsWith("memory") ? ""
            : random.nextInt(3) == 0 ? " back " + rate() : random.nextInt(5) == 0 ? " half" : "";
        node.append(begin).append(rate).append(more).append(" latency hop\n");
    }

    private String rate() {
        double[] usual = {1.5, 3, 6, 12};
        double rate = random.nextInt(6) == 0 ? 1 + random.nextInt(200) / 10.0 : usual[random.nextInt(usual.length)];
        figures.append("figure r").append(links).append(' ').append(rate).append(" GB/s estimate \"made up\"\n");
        return "r" + links++;
    }

    private Machine machine(String name) {
        StringBuilder policy = new StringBuilder("peer switch free\n");
        String each = "each r" + random.nextInt(links);
        String shared = "shared r" + random.nextInt(links);
        policy.append("peer cpu ").append(random.nextBoolean() ? each : "free").append("\npeer node ")
            .append(random.nextBoolean() ? shared : each).append('\n');
        if (network) {
            policy.append("gpudirect read cpu ").append(shared).append("\ngpudirect write node ").append(each)
                .append('\n');
        }
        policy.append("congestion own-read-far-write part\ncongestion crowded-memory above crowd part\n");
        for (String kind : List.of("peer", "staged", "host", "device-net", "device-net-staged", "host-net").subList(0,
            network ? 6 : 3)) {
            policy.append("transfer ").append(kind).append(" startup hop latency hop\n");
        }
        policy.append(
            "local gpu copy r0 startup hop reduce r0 startup hop\nlocal core copy r0 startup hop reduce r0 startup"
                + " hop\n");
        return MachineReader.read(name + ".machine",
            head(name, "figure part 0.5 ratio estimate \"made up\"\nfigure crowd 2"
                + " count estimate \"made up\"\n") + policy);
    }

    /** All but the policy, which uses these figures and may use the rates of links. */
    private String head(String name, String used) {
        String between = network ? "network switch of nic rate " + rate() + " latency hop\n" : "";
        return "machine " + name + " \"made up\"\nfigure n " + nodes + " count \"made up\"\n"
            + "figure hop 1 us estimate \"made up\"\n" + used
            + figures + "node\n" + node + "end\nnodes n\n" + between;
    }

    /** Some ways into GPU memory, some of them limited; costs are those of long messages. */
    private String anyPolicy() {
        StringBuilder policy = new StringBuilder(random.nextBoolean() ? "stage receiver\n" : "");
        for (String what : List.of("peer", "gpudirect read", "gpudirect write")) {
            for (String distance : List.of("switch", "cpu", "node")) {
                switch (random.nextInt(4)) {
                    case 0 -> policy.append(what + " " + distance + " free\n");
                    case 1 -> policy.append(what + " " + distance + " each r" + random.nextInt(links) + "\n");
                    case 2 -> policy.append(what + " " + distance + " shared r" + random.nextInt(links) + "\n");
                    default -> {
                        // by way of host memory
                    }
                }
            }
        }
        for (String kind : List.of("peer", "staged", "host", "device-net", "device-net-staged", "host-net")) {
            policy.append("transfer " + kind + " startup zero latency zero"
                + (random.nextInt(3) == 0 ? " most r" + random.nextInt(links) : "") + "\n");
        }
        return policy + "local gpu copy quick startup zero reduce quick startup zero\n"
            + "local core copy quick startup zero reduce quick startup zero\n";
    }
}

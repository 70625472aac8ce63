package org.brigade.cli.simulate;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.brigade.cli.shared.MeasuringBar;
import org.brigade.simulate.flow.SimulatedMeter;
import org.brigade.topology.TopologyException;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.PathProfile;
import org.brigade.topology.profile.ProfileXml;
import org.brigade.topology.profile.ProfiledOrder;
import org.brigade.topology.search.IsomorphismCache;
import org.brigade.topology.search.PathSearch;
import org.brigade.topology.search.ProfileSearch;

/**
 * {@code brigade profile --machine}: the same search on a described machine, and the paths between its nodes, which
 * {@code brigade profile} cannot measure.
 */
public final class SimulatedProfile {
    private SimulatedProfile() {
    }

    /**
     * Searches, prints and writes.
     *
     * @param across whether to search paths from node to node, too
     * @param out for the profile, which names no machine as its own; null: none
     */
    public static int run(Machine machine, boolean across, Path out, PrintWriter console, MeasuringBar bar) {
        if (machine.topology().of(ComponentKind.GPU, 0).size() < 2) {
            throw new IllegalArgumentException("--machine " + machine.name()
                + " has fewer than two GPUs a node, but paths are between GPUs; name another machine");
        }
        if (across && machine.topology().nodes() < 2) {
            throw new IllegalArgumentException("--across: machine " + machine.name() + " has one node; leave it out");
        }
        SimulatedMeter meter = new SimulatedMeter(machine);
        NodeLayout layout = meter.layout();
        IsomorphismCache cache = new IsomorphismCache(layout, meter);
        ProfileSearch search = new ProfileSearch(layout, new PathSearch(layout, cache), null);
        List<Integer> masks = sets(layout, across);
        for (int i = 0; i < masks.size(); i++) {
            int mask = masks.get(i);
            if (Integer.bitCount(mask) > 1) {
                search.within(mask);
            }
            if (across) {
                search.across(mask);
            }
            bar.at(i + 1, masks.size());
        }
        bar.close();
        PathProfile profile = search.profile();
        int all = layout.allGpus();
        console.println(machine.name() + ", simulated: " + masks.size()
            + (masks.size() == 1 ? " set of GPUs, " : " sets of GPUs, ") + cache.measurements() + " sets of transfers");
        console.println("fastest ring: " + profile.ring(all));
        console.println("fastest chain from GPU 0: " + profile.chain(all, 0));
        if (across) {
            nodes(machine, layout, profile, console);
        }
        if (out != null) {
            try {
                ProfileXml.write(profile, out);
            } catch (IOException e) {
                throw new TopologyException(out + ": cannot be written: " + e + "; give another file with --out", e);
            }
            console.println(out.toString());
        }
        console.flush();
        return 0;
    }

    /** All sets if there are few GPUs; else the sets that a whole node needs. */
    private static List<Integer> sets(NodeLayout layout, boolean across) {
        int gpus = layout.gpus();
        return gpus <= 4 ? ProfileSearch.sets(gpus, across ? 1 : 2) : List.of(layout.allGpus());
    }

    private static void nodes(Machine machine, NodeLayout layout, PathProfile profile, PrintWriter console) {
        int nodes = machine.topology().nodes();
        int[] nodeOf = new int[nodes * layout.gpus()];
        int[] deviceOf = new int[nodeOf.length];
        for (int rank = 0; rank < nodeOf.length; rank++) {
            nodeOf[rank] = rank / layout.gpus();
            deviceOf[rank] = rank % layout.gpus();
        }
        ProfiledOrder order = new ProfiledOrder(profile, nodeOf, deviceOf);
        StringBuilder ranks = new StringBuilder();
        for (int rank : order.ring().toArray()) {
            ranks.append(' ').append(rank);
        }
        console.println("fastest ring over " + nodes + " nodes: " + Math.round(order.ringBandwidth() / 1e7) / 100.0
            + " GB/s over ranks" + ranks);
    }
}

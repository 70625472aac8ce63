package org.brigade.simulate.paper;

import java.util.ArrayList;
import java.util.List;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.bcast.PipelinedChainBcast;
import org.brigade.algorithm.bcast.TopologyAwareChainBcast;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.picture.LineChart;
import org.brigade.picture.Picture;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.NodePlacement;
import org.brigade.simulate.wiring.PlacedWiring;
import org.brigade.topology.machine.Machine;
import org.brigade.topology.machine.Machines;

/**
 * The pipelined chain in rank order against the topology-aware one, where ranks are dealt out to the nodes in turn (as
 * {@code mpirun --map-by node} does). Figure 11 of Xin et al. (2020) does not say how its ranks were placed. Both use
 * the best of three windows. Data go by GPUDirect, as the machines' files have it, or through host memory.
 */
final class ChainsByPlacement implements Experiment {
    private static final long[] WINDOWS = {128 << 10, 512 << 10, 2 << 20};
    private static final long[] SIZES = {1 << 20, 4 << 20, 16 << 20, 64 << 20};
    private static final String[] NAMES = {"rx1", "rx3"};

    /** By machine, direct before staged, then by size. */
    private final List<double[]> gains = new ArrayList<>();
    private final double oneNode;

    ChainsByPlacement() {
        for (String name : NAMES) {
            Machine machine = Machines.find(name);
            for (Machine each : List.of(machine, machine.withoutGpuDirect())) {
                double[] row = new double[SIZES.length];
                for (int i = 0; i < row.length; i++) {
                    row[i] = gain(each, SIZES[i]);
                }
                gains.add(row);
            }
        }
        MachineWiring storm = MachineWiring.of(Machines.find("cs-storm"));
        PlacedWiring node = new PlacedWiring(storm, NodePlacement.blocks(storm, storm.perNode()));
        oneNode = best(node, new PipelinedChainBcast(), 16 << 20, false)
            / best(node, new TopologyAwareChainBcast(), 16 << 20, true);
    }

    /** How many times as fast the topology-aware chain is as the plain one, with cyclic placement. */
    static double gain(Machine machine, long bytes) {
        MachineWiring wiring = MachineWiring.of(machine);
        PlacedWiring placed = new PlacedWiring(wiring, NodePlacement.cyclic(wiring, wiring.ranks()));
        return best(placed, new PipelinedChainBcast(), bytes, false)
            / best(placed, new TopologyAwareChainBcast(), bytes, true);
    }

    private static double best(PlacedWiring wiring, ScheduledAlgorithm algorithm, long bytes, boolean aware) {
        double best = Double.POSITIVE_INFINITY;
        for (long window : WINDOWS) {
            if (window <= bytes) {
                CommunicatorTopology wires = aware ? wiring.wires(wiring.ranks(), window) : CommunicatorTopology.NONE;
                best = Math.min(best, new Simulator(wiring)
                    .run(new SimulatedCall(algorithm, wiring.ranks(), 0, bytes, window, 2, wires)).seconds());
            }
        }
        return best;
    }

    @Override
    public List<Reproduction> results() {
        return List.of(row("RX1 with 64 GPUs", "fig. 11b", "1.5", 0, 4),
            row("RX3", "fig. 11a", "1.27", 2, 2),
            new Reproduction("TA-PC against PC: CS-Storm, one node with 16 GPUs", "Xin et al. 2020 4.3",
                "no figure", oneNode, 1, 1.1, "times", "ranks in order: nothing to gain, and never slower")
                .expectedByUs());
    }

    private Reproduction row(String machine, String figure, String paper, int at, int ranksOfAnAdapter) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        StringBuilder all = new StringBuilder();
        for (int how = 0; how < 2; how++) {
            all.append(how == 0 ? "1, 4, 16, 64 MiB by GPUDirect:" : "; through host memory:");
            for (double gain : gains.get(at + how)) {
                least = Math.min(least, gain);
                most = Math.max(most, gain);
                all.append(String.format(java.util.Locale.ROOT, " %.2f", gain));
            }
        }
        // The greatest of all; the paper's value lies between 1, in blocks, and this. Dealt out, the plain chain sends
        // every rank's chunks over the network, so as many ranks as there are to an adapter share it, and it can be no
        // more times as slow.
        return new Reproduction("TA-PC against PC: " + machine + ", ranks dealt out", "Xin et al. 2020 " + figure,
            paper, most, Double.parseDouble(paper), ranksOfAnAdapter, "times",
            all + "; 1.00 in blocks: the paper's value needs a placement that it does not name").expectedByUs();
    }

    @Override
    public Picture picture() {
        double[] sizes = new double[SIZES.length];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = SIZES[i];
        }
        return new LineChart("TA-PC against PC with cyclic placement (Xin et al. 2020, figure 11: 1.5 and 1.27)",
            "bytes", true, "times as fast", false).curve("RX1, GPUDirect", sizes, gains.get(0))
            .curve("RX1, host memory", sizes, gains.get(1)).curve("RX3, GPUDirect", sizes, gains.get(2))
            .curve("RX3, host memory", sizes, gains.get(3));
    }
}

package org.brigade.simulate.paper;

import java.util.List;
import org.brigade.algorithm.Leaders;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.allreduce.HierarchicalAllreduce;
import org.brigade.algorithm.allreduce.RingAllreduce;
import org.brigade.algorithm.allreduce.SegmentedRingAllreduce;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Levels;
import org.brigade.picture.LineChart;
import org.brigade.picture.Picture;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.MultiPathWiring;
import org.brigade.simulate.wiring.Route;
import org.brigade.simulate.wiring.RouteChoice;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.topology.machine.Machines;
import org.brigade.topology.model.Distance;

/**
 * The three-stage hierarchical allreduce on the four GPUs of an AC922 against the best ring: in figure 8 of Temucin et
 * al. (2021) it is 1.38 times as fast as NCCL's at 1 GiB, 1.25 times at 64 MiB.
 *
 * <p>
 * As in section V.B, paths depend on size: between the sockets NVLinks and X-bus or PCIe and X-bus, within them one
 * path or two. Both sides use the best of the windows from 256 KiB to 64 MiB.
 */
final class HierarchicalOnAc922 implements Experiment {
    private static final int RANKS = 4;
    private static final long LEAST = 1L << 20;
    private static final long MOST = 1L << 30;
    private static final long LEAST_WINDOW = 256L << 10;
    private static final long MOST_WINDOW = 64L << 20;
    /** With more windows, a start-up costs more than a window's bytes. */
    private static final long MOST_WINDOWS = 1024;
    private static final CommunicatorTopology SOCKETS =
        new CommunicatorTopology(null, new Levels(new int[][] {{0, 0, 1, 1}}), null);

    private final MachineWiring machine = MachineWiring.of(Machines.find("ac922"));
    private final double[] sizes;
    private final double[] rings;
    private final double[] hierarchical;
    private final double[] onePath;
    private String chosen;

    HierarchicalOnAc922() {
        int count = Long.numberOfTrailingZeros(MOST / LEAST) + 1;
        sizes = new double[count];
        rings = new double[count];
        hierarchical = new double[count];
        onePath = new double[count];
        MachineWiring byPci = machine.choosing(Distance.NODE, RouteChoice.PCI);
        for (int i = 0; i < count; i++) {
            long bytes = LEAST << i;
            sizes[i] = bytes;
            rings[i] = Math.min(best(machine, new RingAllreduce(), CommunicatorTopology.NONE, bytes),
                best(machine, new SegmentedRingAllreduce(), CommunicatorTopology.NONE, bytes));
            ScheduledAlgorithm stages = new HierarchicalAllreduce(Leaders.ONE);
            double[] ways = {best(MultiPathWiring.of(machine), stages, SOCKETS, bytes),
                best(MultiPathWiring.of(byPci), stages, SOCKETS, bytes),
                best(machine, stages, SOCKETS, bytes), best(byPci, stages, SOCKETS, bytes)};
            onePath[i] = Math.min(ways[2], ways[3]);
            hierarchical[i] = Math.min(Math.min(ways[0], ways[1]), onePath[i]);
            chosen = (Math.min(ways[1], ways[3]) < Math.min(ways[0], ways[2]) ? "PCIe" : "NVLinks")
                + " between the sockets, "
                + (Math.min(ways[0], ways[1]) < onePath[i] ? "two ways" : "one way") + " within";
        }
    }

    private static double best(RoutingModel wiring, ScheduledAlgorithm algorithm, CommunicatorTopology wires,
        long bytes) {
        Simulator simulator = new Simulator(wiring);
        double best = simulator.run(new SimulatedCall(algorithm, RANKS, 0, bytes, 0, 2, wires)).seconds();
        for (long window = LEAST_WINDOW; algorithm.pipelined() && window <= Math.min(MOST_WINDOW, bytes); window *= 2) {
            if (bytes / window <= MOST_WINDOWS) {
                best = Math.min(best,
                    simulator.run(new SimulatedCall(algorithm, RANKS, 0, bytes, window, 2, wires)).seconds());
            }
        }
        return best;
    }

    /** Seconds of the largest message from one GPU to another, alone. */
    private double copy(int from, int to) {
        Route route = machine.route(from, to, MOST);
        return route.startup() + route.latency() + MOST / machine.alone(route);
    }

    private double gain(long bytes) {
        int i = Long.numberOfTrailingZeros(bytes / LEAST);
        return rings[i] / hierarchical[i];
    }

    @Override
    public List<Reproduction> results() {
        int last = sizes.length - 1;
        return List.of(
            new Reproduction("hierarchical allreduce: AC922 with 4 GPUs and 1 GiB", "Temucin et al. 2021 fig. 8",
                "1.38 times NCCL", gain(MOST), 1.25, 1.5, "times our best ring",
                chosen + "; " + Math.round(100 * (onePath[last] / hierarchical[last] - 1))
                    + " % of it by two ways within"),
            new Reproduction("hierarchical allreduce: AC922 with 4 GPUs and 64 MiB", "Temucin et al. 2021 fig. 8",
                "1.25 times NCCL", gain(64L << 20), 1.1, 1.5, "times our best ring", ""),
            new Reproduction("hierarchical allreduce: AC922, better from", "Temucin et al. 2021 VI.B.3", "8 MB",
                Experiment.crossing(sizes, rings, hierarchical) / (1 << 20), 2, 32, "MiB",
                "the paper against NCCL; ours against our best ring"),
            new Reproduction("hierarchical allreduce: step 2 to step 1", "Temucin et al. 2021 V.B.2",
                "two to three times", copy(0, 2) / copy(0, 1), 2, 3, "times",
                "1 GiB between the sockets' leaders and within a socket: one way"));
    }

    @Override
    public Picture picture() {
        return new LineChart("Allreduce on an AC922, 4 GPUs (Temucin et al. 2021, figure 8)", "bytes", true,
            "bus bandwidth, GB/s", false).curve("best ring", sizes, bus(rings))
            .curve("hierarchical, one way", sizes, bus(onePath))
            .curve("hierarchical, ways chosen", sizes, bus(hierarchical));
    }

    private double[] bus(double[] seconds) {
        double[] bus = new double[seconds.length];
        for (int i = 0; i < bus.length; i++) {
            bus[i] = 2.0 * (RANKS - 1) / RANKS * sizes[i] / seconds[i] / 1e9;
        }
        return bus;
    }
}

package org.brigade.simulate.paper;

import java.util.List;
import java.util.Locale;
import mpi.spi.Collective;
import org.brigade.algorithm.bcast.DirectBcast;
import org.brigade.algorithm.neighbours.PairwiseNeighbours;
import org.brigade.picture.LineChart;
import org.brigade.picture.Picture;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.wiring.MachineWiring;
import org.brigade.simulate.wiring.MultiPathWiring;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.topology.machine.Machines;

/**
 * A copy between two GPUs of one socket by two paths at once, NVLink and host memory, on an AC922: figures 5 and 6 of
 * Temucin et al. (2021) have 72 GB/s by one path, 53 by the other, 120 to 122 by both. Figure 7 has both directions at
 * once: 182 and 189 GB/s, which are 1.33 and 1.38 times the 137 by one path.
 */
final class MultiPathCopyFigures implements Experiment {
    private static final long BYTES = 512L << 20;
    private static final int STEPS = 20;

    private final MachineWiring machine = MachineWiring.of(Machines.find("ac922"));
    private final double direct = rate(machine);
    private final MultiPathWiring best = MultiPathWiring.of(machine);
    private final double[] shares = new double[STEPS + 1];
    private final double[] rates = new double[STEPS + 1];

    MultiPathCopyFigures() {
        for (int i = 0; i <= STEPS; i++) {
            shares[i] = (double) i / STEPS;
            rates[i] = rate(MultiPathWiring.sharing(machine, shares[i])) / 1e9;
        }
    }

    /** Bytes/s of one message from GPU 0 to GPU 1. */
    private static double rate(RoutingModel wiring) {
        return BYTES / new Simulator(wiring).run(new SimulatedCall(new DirectBcast(), 2, BYTES, 0, 2)).seconds();
    }

    /** Bytes/s of both directions together: each of two GPUs sends two messages to the other, as ranks of a ring do. */
    private static double exchange(RoutingModel wiring) {
        SimulatedCall call =
            new SimulatedCall(new PairwiseNeighbours(Collective.NEIGHBOR_ALLTOALL), 2, BYTES, 0, 2);
        return 4 * BYTES / new Simulator(wiring).run(call).seconds();
    }

    /** The least power of two bytes whose copy is shorter by both paths, at the best share. */
    private long paysFrom() {
        long bytes = 1;
        while (bytes < BYTES && best.share(0, 1, bytes) == 0) {
            bytes *= 2;
        }
        return bytes;
    }

    @Override
    public List<Reproduction> results() {
        double atTheirs = rate(MultiPathWiring.sharing(machine, 0.275)) / 1e9;
        return List.of(
            new Reproduction("multi-path copy: AC922 by one message", "Temucin et al. 2021 fig. 5 and 6",
                "72 to 120 GB/s: 1.67",
                rate(best) / direct, 1.55, 1.8, "times",
                "at the best share; at the paper's 25 to 30 % the direct part alone takes as long as "
                    + Math.round(atTheirs) + " GB/s"),
            new Reproduction("multi-path copy: AC922 by 64 messages in transit",
                "Temucin et al. 2021 fig. 6 and abstract",
                "72 to 134 GB/s: 1.84", rate(best) / direct, 1.78, 1.9, "times",
                "more than the paper's own two ways have together: (72 + 53)/72 = 1.74"),
            new Reproduction("multi-path copy: both directions at once at the paper's share",
                "Temucin et al. 2021 fig. 7", "137 to 182 or 189 GB/s: 1.33 or 1.38",
                exchange(MultiPathWiring.sharing(machine, 0.275)) / exchange(machine), 1.3, 1.41, "times",
                String.format(Locale.ROOT, "%.0f to %.0f GB/s; at the best share of one direction %.2f times",
                    exchange(machine) / 1e9, exchange(MultiPathWiring.sharing(machine, 0.275)) / 1e9,
                    exchange(best) / exchange(machine))),
            new Reproduction("multi-path copy: share by way of the host", "Temucin et al. 2021 V.A", "0.25 to 0.30",
                best.share(0, 1, BYTES), 0.25, 0.3, "of the bytes",
                "at the paper's share the direct part alone takes longer than its own figure 5 allows"),
            new Reproduction("multi-path copy: share at which both parts end together", "Temucin et al. 2021 fig. 5",
                "53/(72 + 53) = 0.42", best.share(0, 1, BYTES), 0.38, 0.46, "of the bytes",
                "from the paper's two rates")
                .expectedByUs(),
            new Reproduction("multi-path copy: better than one path from", "Temucin et al. 2021 VI.B.2", "2 MB",
                paysFrom() / (double) (1 << 20), 0.5, 8, "MiB",
                "the paper against other libraries; ours against one path"));
    }

    @Override
    public Picture picture() {
        return new LineChart("One copy, GPU 0 to GPU 1 of an AC922 (Temucin et al. 2021, figure 5)",
            "share by way of the host", false, "GB/s", false).band(115, 125, 0.25, 0.30)
            .curve("both paths at once", shares, rates);
    }
}

package org.brigade.simulate.paper;

import java.util.List;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.bcast.KnomialBcast;
import org.brigade.algorithm.bcast.PipelinedChainBcast;
import org.brigade.algorithm.bcast.ScatterAllgatherBcast;
import org.brigade.picture.LineChart;
import org.brigade.picture.Picture;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.wiring.IdealWiring;

/**
 * The best broadcast by size: table 2 of Xin et al. (2020) has trees to 256 KiB, scatter-allgather to 4 MiB, the
 * pipelined chain above. The setting of equations (1) to (5): 64 ranks with full-duplex ports of FDR InfiniBand, 6.8
 * GB/s, no shared links, and 2 us to start a message. Trees have the best radix of 2, 4 and 8; the chain has the window
 * that minimises equation (5).
 */
final class BcastThresholds implements Experiment {
    private static final int RANKS = 64;
    private static final double START = 2e-6;
    private static final double RATE = 6.8e9;
    private static final long LEAST = 1 << 10;
    private static final long MOST = 256L << 20;
    /** Steps between two powers of two. */
    private static final int STEPS = 4;

    private final double[] sizes;
    private final double[] tree;
    private final double[] scatter;
    private final double[] chain;

    BcastThresholds() {
        int count = STEPS * Long.numberOfTrailingZeros(MOST / LEAST) + 1;
        sizes = new double[count];
        tree = new double[count];
        scatter = new double[count];
        chain = new double[count];
        for (int i = 0; i < count; i++) {
            long bytes = Math.round(LEAST * Math.pow(2, (double) i / STEPS));
            sizes[i] = bytes;
            tree[i] = Math.min(seconds(new KnomialBcast(), bytes, 0, 2),
                Math.min(seconds(new KnomialBcast(), bytes, 0, 4), seconds(new KnomialBcast(), bytes, 0, 8)));
            scatter[i] = seconds(new ScatterAllgatherBcast(), bytes, 0, 2);
            chain[i] = seconds(new PipelinedChainBcast(), bytes, window(bytes), 2);
        }
    }

    private static double seconds(ScheduledAlgorithm algorithm, long bytes, long chunk, int radix) {
        return new Simulator(new IdealWiring(RANKS, RATE, START))
            .run(new SimulatedCall(algorithm, RANKS, bytes, chunk, radix)).seconds();
    }

    /** The C at which (M/C + n - 2)(ts + C/B) is least. */
    private static long window(long bytes) {
        return Math.max(1, Math.min(bytes, Math.round(Math.sqrt(bytes * START * RATE / (RANKS - 2)))));
    }

    @Override
    public List<Reproduction> results() {
        double first = Experiment.crossing(sizes, tree, scatter) / 1024;
        double second = Experiment.crossing(sizes, scatter, chain) / 1024;
        return List.of(
            new Reproduction("bcast: trees until", "Xin et al. 2020 table 2", "256 KiB", first, 256 / 4.0, 256 * 4,
                "KiB", "then scatter-allgather; the equations give 208 KiB, at k = 2"),
            new Reproduction("bcast: scatter-allgather until", "Xin et al. 2020 table 2", "4 MiB", second, 4096 / 4.0,
                4096 * 4, "KiB",
                "then the pipelined chain; the equations give 3.4 MiB = 3482 KiB"));
    }

    @Override
    public Picture picture() {
        double[][] curves = {tree.clone(), scatter.clone(), chain.clone()};
        for (double[] curve : curves) {
            for (int i = 0; i < curve.length; i++) {
                curve[i] *= 1e6;
            }
        }
        return new LineChart("Bcast on 64 ideal ranks: the best of three (Xin et al. 2020, table 2)", "bytes", true,
            "microseconds", true).curve("k-nomial", sizes, curves[0])
            .curve("scatter-allgather", sizes, curves[1]).curve("pipelined chain", sizes, curves[2]);
    }
}

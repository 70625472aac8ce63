package org.brigade.simulate.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.allreduce.InNetworkAllreduce;
import org.brigade.algorithm.allreduce.RecursiveDoublingAllreduce;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.picture.LineChart;
import org.brigade.picture.Picture;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.wiring.FatTreeWiring;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.simulate.wiring.StepsWiring;

/**
 * Reduction in the switches of a fat tree (the article on IB SHARP, figure 1, in which hosts send once and receive
 * once) against the best of our own allreduces on the same tree, each with its best window. Includes the agreement
 * after every such call whether all sums have come: an allreduce of 8 bytes by recursive doubling.
 */
final class InNetworkOnFatTree implements Experiment {
    private static final int HOSTS = 64;
    private static final long BYTES = 16L << 20;
    private static final long LEAST = 1L << 10;
    private static final long LEAST_WINDOW = 16 << 10;
    private static final long MOST_WINDOW = 1 << 20;
    private static final long WORD = 8;
    private static final int RADIX = 4;

    private final RoutingModel tree = new FatTreeWiring(HOSTS, 1, FatTreeWiring.RADIX, true);
    private final double agreement = seconds(tree, new RecursiveDoublingAllreduce(), WORD, 0);
    private final List<double[]> curve = new ArrayList<>();
    private String best = "";
    private double bestSeconds;
    private double bestSteps;
    private double networkSeconds;

    InNetworkOnFatTree() {
        for (long bytes = LEAST; bytes <= BYTES; bytes *= 4) {
            networkSeconds = fastest(new InNetworkAllreduce(), bytes) + agreement;
            bestSeconds = Double.POSITIVE_INFINITY;
            for (Algorithm each : Catalogue.of(Collective.ALLREDUCE)) {
                if (each instanceof ScheduledAlgorithm && each.wireUse() != WireUse.NETWORK
                    && each.restrictions().violatedBy(HOSTS, bytes, true) == null) {
                    double seconds = fastest(each.schedule(), bytes);
                    if (seconds < bestSeconds) {
                        bestSeconds = seconds;
                        best = each.name();
                        bestSteps = steps(each.schedule());
                    }
                }
            }
            curve.add(new double[] {bytes, bestSeconds / networkSeconds});
        }
    }

    private double fastest(ScheduledAlgorithm algorithm, long bytes) {
        if (!algorithm.pipelined()) {
            return seconds(tree, algorithm, bytes, 0);
        }
        double fastest = Double.POSITIVE_INFINITY;
        for (long window = LEAST_WINDOW; window <= MOST_WINDOW; window *= 2) {
            fastest = Math.min(fastest, seconds(tree, algorithm, bytes, window));
        }
        return fastest;
    }

    private static double seconds(RoutingModel wiring, ScheduledAlgorithm algorithm, long bytes, long window) {
        CommunicatorTopology wires = wiring.wires(HOSTS, window == 0 ? bytes : window);
        return new Simulator(wiring).run(new SimulatedCall(algorithm, HOSTS, 0, bytes, window, RADIX, wires)).seconds();
    }

    /** The longest chain of messages, of a vector in one window. */
    private double steps(ScheduledAlgorithm algorithm) {
        return seconds(new StepsWiring(HOSTS, tree.wires(HOSTS, BYTES)), algorithm, BYTES, 0);
    }

    @Override
    public List<Reproduction> results() {
        double own = steps(new InNetworkAllreduce());
        double word = steps(new RecursiveDoublingAllreduce());
        String beside = String.format(Locale.ROOT, "%s takes %.0f us, in-network %.0f us, of which %.0f us to agree",
            best, bestSeconds * 1e6, networkSeconds * 1e6, agreement * 1e6);
        return List.of(
            new Reproduction("in-network against our best allreduce of 16 MiB on 64 hosts", "IB SHARP article fig. 1",
                "no figure", bestSeconds / networkSeconds, 1.7, Double.POSITIVE_INFINITY, "x", beside)
                .expectedByUs(),
            new Reproduction("steps of in-network to those of our best", "IB SHARP article overall process",
                "send once; receive once: half", own / bestSteps, 0, 0.5, "x",
                String.format(Locale.ROOT, "%.0f of data to %.0f; to agree takes %.0f steps of 8 bytes more", own,
                    bestSteps, word))
                .expectedByUs());
    }

    @Override
    public Picture picture() {
        double[] sizes = new double[curve.size()];
        double[] gains = new double[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = curve.get(i)[0];
            gains[i] = curve.get(i)[1];
        }
        return new LineChart("In-network allreduce on a fat tree of " + HOSTS + " hosts", "bytes", true,
            "gain over our best without", false).curve("gain", sizes, gains);
    }
}

package org.brigade.cli.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.NetworkSpeed;
import org.brigade.select.ByteSize;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.SteadyState;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * A first tuning table for an unmeasured machine: every algorithm of the catalogue is simulated at each size, pipelined
 * ones with several windows, trees with several radices. The fastest become rules, as in {@code brigade tune}: as few
 * as serve all sizes almost as fast.
 */
public final class SimulatedTuning {
    private static final long LEAST_CHUNK = 4 << 10;
    private static final long MOST_CHUNK = 4 << 20;
    /** Fewer windows are no pipeline; more cost more start-ups than any link hides. */
    private static final int FEWEST_WINDOWS = 2;
    private static final int MOST_WINDOWS = 8192;
    private static final int[] RADICES = {2, 4, 8};
    /** Shorter windows are not tried after so many that were worse than the one before. */
    private static final int WORSE_IN_TURN = 2;
    /** A way that takes so many times the best one's time is as good. */
    private static final double AS_GOOD = 1.04;
    /** A network is of the same class if its rate differs by less. */
    private static final double SAME_RATE = 0.1;
    /** The same if its latency is at most so many times as long, or as short. */
    private static final double SAME_LATENCY = 2;

    private final SteadyState simulator;
    private final int ranks;
    private final CommunicatorTopology wires;
    private final int nodes;
    private final boolean planned;
    private final Consumer<String> out;

    /** An algorithm with its parameters, and its time. */
    private record Way(String words, double seconds) {
    }

    /** @param planned whether the rules are for so many ranks and nodes whatever joins them */
    public SimulatedTuning(RoutingModel wiring, int ranks, boolean planned, Consumer<String> out) {
        this.simulator = new SteadyState(new Simulator(wiring));
        this.ranks = ranks;
        this.nodes = wiring.nodes(ranks);
        this.wires = wiring.wires(ranks, MOST_CHUNK);
        this.planned = planned;
        this.out = out;
    }

    /** On how many nodes the ranks are. */
    public int nodes() {
        return nodes;
    }

    /**
     * Writes the rules of a collective, after comments that say what was simulated.
     *
     * @param sizes of the vector, or of all that is gathered, scattered or exchanged; ascending
     */
    public void tune(Collective collective, long[] sizes) {
        List<Long> counted = new ArrayList<>();
        for (long size : sizes) {
            long bytes = collective.counts == Counts.EQUAL ? size / ranks : size;
            if (bytes > 0) {
                counted.add(bytes);
            }
        }
        List<List<Way>> ways = new ArrayList<>();
        counted.forEach(bytes -> ways.add(ways(collective, bytes)));
        String scope = collective.key() + " " + scope();
        for (int first = 0; first < counted.size();) {
            Way way = longest(ways, first);
            int next = first;
            while (next < ways.size() && serves(ways.get(next), way)) {
                next++;
            }
            // Half-way to the next, on the scale of the sizes.
            out.accept(scope + (next == ways.size() ? "" : "bytes .." + ByteSize.compact(
                (long) Math.sqrt((double) counted.get(next - 1) * counted.get(next))) + " ") + way.words);
            first = next;
        }
        out.accept("");
    }

    /** For which communicators the rules are: of several nodes, those on such a network unless it is planned. */
    private String scope() {
        NetworkSpeed speed = wires.speed();
        if (speed == null || planned) {
            return "ranks " + ranks + (nodes > 1 ? " nodes " + nodes + " " : " ");
        }
        return "ranks " + ranks + " nodes " + wires.nodes() + " local " + wires.local() + " domains " + wires.domains()
            + (wires.fabric().isEmpty() ? "" : " fabric " + wires.fabric()) + " rate "
            + mega(speed.bitsPerSecond() * (1 - SAME_RATE)) + ".."
            + mega(speed.bitsPerSecond() * (1 + SAME_RATE)) + " latency " + tenths(speed.latencyNanos() / SAME_LATENCY)
            + ".." + tenths(speed.latencyNanos() * SAME_LATENCY) + " ports " + speed.ports() + " ";
    }

    /** Of a microsecond. */
    private static String tenths(double nanos) {
        return Math.round(nanos / 100) * 100 + "ns";
    }

    private static String mega(double bitsPerSecond) {
        return Math.round(bitsPerSecond / 1e6) + "M";
    }

    /** Of the ways that are good at a size, the one that stays good for most of the next sizes. */
    private static Way longest(List<List<Way>> ways, int first) {
        Way longest = null;
        int most = 0;
        for (Way way : ways.get(first)) {
            int next = first;
            while (next < ways.size() && serves(ways.get(next), way)) {
                next++;
            }
            if (next > most) {
                most = next;
                longest = way;
            }
        }
        return longest;
    }

    private static boolean serves(List<Way> ways, Way way) {
        return ways.stream().anyMatch(
            each -> each.words.equals(way.words) && each.seconds <= AS_GOOD * ways.get(0).seconds);
    }

    /** All ways at one size, the fastest first. */
    private List<Way> ways(Collective collective, long bytes) {
        List<Way> ways = new ArrayList<>();
        List<Way> fastest = new ArrayList<>();
        for (Algorithm algorithm : Catalogue.of(collective)) {
            // Of what sends no messages, the time of its schedule says nothing.
            if (algorithm.wireUse() != WireUse.ONE_NODE
                && algorithm.restrictions().violatedBy(ranks, bytes, true) == null
                && algorithm.wireUse().pointless(wires) == null) {
                List<Way> its = ways(algorithm, bytes);
                ways.addAll(its);
                fastest.add(its.stream().min(Comparator.comparingDouble(Way::seconds)).orElseThrow());
            }
        }
        ways.sort(Comparator.comparingDouble(Way::seconds));
        fastest.sort(Comparator.comparingDouble(Way::seconds));
        StringBuilder line = new StringBuilder("# ").append(collective.key()).append(", ").append(ranks)
            .append(" ranks, ").append(ByteSize.compact(bytes)).append(':');
        for (Way way : fastest) {
            line.append(way == fastest.get(0) ? " " : ", ").append(way.words)
                .append(String.format(Locale.ROOT, " %.1f us", way.seconds * 1e6));
        }
        out.accept(line.toString());
        return ways;
    }

    private List<Way> ways(Algorithm algorithm, long bytes) {
        List<Way> ways = new ArrayList<>();
        for (int radix : algorithm.radixed() ? RADICES : new int[] {RADICES[0]}) {
            if (radix > RADICES[0] && radix > ranks) {
                break;
            }
            String words = algorithm.name() + (algorithm.radixed() ? " radix " + radix : "");
            double before = Double.POSITIVE_INFINITY;
            int worse = 0;
            for (long chunk = MOST_CHUNK; algorithm.pipelined() && chunk >= LEAST_CHUNK
                && worse < WORSE_IN_TURN; chunk /= 2) {
                if (bytes / chunk >= FEWEST_WINDOWS && bytes / chunk <= MOST_WINDOWS) {
                    double seconds = seconds(algorithm.schedule(), bytes, chunk, radix);
                    ways.add(new Way(words + " chunk " + ByteSize.compact(chunk), seconds));
                    worse = seconds > before ? worse + 1 : 0;
                    before = seconds;
                }
            }
            if (before == Double.POSITIVE_INFINITY || !algorithm.pipelined()) {
                ways.add(new Way(words, seconds(algorithm.schedule(), bytes, 0, radix)));
            }
        }
        return ways;
    }

    private double seconds(ScheduledAlgorithm algorithm, long bytes, long chunk, int radix) {
        return simulator.seconds(new SimulatedCall(algorithm, ranks, 0, bytes, chunk, radix, wires));
    }
}

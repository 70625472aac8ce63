package org.brigade.cli.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.Wires;
import org.brigade.select.ByteSize;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * A first tuning table for an unmeasured machine: every algorithm of the catalogue is simulated at each size, pipelined
 * ones with several windows, trees with several radices. The fastest become rules, as in {@code brigade tune}.
 */
public final class SimulatedTuning {
    private static final long[] CHUNKS = {4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20};
    /** Fewer windows are no pipeline; more cost more start-ups than any link hides. */
    private static final int FEWEST_WINDOWS = 2;
    private static final int MOST_WINDOWS = 2048;
    private static final int[] RADICES = {2, 4, 8};

    private final Simulator simulator;
    private final int ranks;
    private final Wires wires;
    private final int nodes;
    private final Consumer<String> out;

    /** An algorithm with its parameters, and its time. */
    private record Way(String words, double seconds) {
    }

    public SimulatedTuning(RoutingModel wiring, int ranks, Consumer<String> out) {
        this.simulator = new Simulator(wiring);
        this.ranks = ranks;
        this.nodes = wiring.nodes(ranks);
        this.wires = wiring.wires(ranks, CHUNKS[CHUNKS.length - 1]);
        this.out = out;
    }

    /** On how many nodes the ranks are. */
    public int nodes() {
        return nodes;
    }

    /**
     * Writes the rules of a collective, after comments that say what was simulated. @param sizes as the ladder counts
     * them, ascending
     */
    public void tune(Collective collective, long[] sizes) {
        List<String> rules = new ArrayList<>();
        String last = null;
        for (int i = 0; i < sizes.length; i++) {
            Way best = best(collective, sizes[i]);
            boolean end = i == sizes.length - 1;
            // Half-way to the next, on the scale of the sizes.
            String bounds =
                end ? "" : "bytes .." + ByteSize.compact((long) Math.sqrt((double) sizes[i] * sizes[i + 1])) + " ";
            if (best.words.equals(last)) {
                rules.remove(rules.size() - 1);
            }
            last = best.words;
            String where = " ranks " + ranks + (nodes > 1 ? " nodes " + nodes + " " : " ");
            rules.add(collective.key() + where + bounds + last);
        }
        rules.forEach(out);
        out.accept("");
    }

    private Way best(Collective collective, long bytes) {
        List<Way> ways = new ArrayList<>();
        for (Algorithm algorithm : Catalogue.of(collective)) {
            // Of what sends no messages, the time of its schedule says nothing.
            if (!algorithm.execution().readsMemory()
                && algorithm.restrictions().violatedBy(ranks, bytes, true) == null
                && algorithm.wireUse().pointless(wires) == null) {
                ways.add(best(algorithm, bytes));
            }
        }
        ways.sort(Comparator.comparingDouble(Way::seconds));
        StringBuilder line = new StringBuilder("# ").append(collective.key()).append(", ").append(ranks)
            .append(" ranks, ").append(ByteSize.compact(bytes)).append(':');
        for (Way way : ways) {
            line.append(way == ways.get(0) ? " " : ", ").append(way.words)
                .append(String.format(Locale.ROOT, " %.1f us", way.seconds * 1e6));
        }
        out.accept(line.toString());
        return ways.get(0);
    }

    private Way best(Algorithm algorithm, long bytes) {
        ScheduledAlgorithm scheduled = algorithm.schedule();
        Way best = new Way(algorithm.name(), seconds(scheduled, bytes, 0, RADICES[0]));
        for (int i = 0; algorithm.radixed() && i < RADICES.length && RADICES[i] <= ranks; i++) {
            best = faster(best,
                new Way(algorithm.name() + " radix " + RADICES[i], seconds(scheduled, bytes, 0, RADICES[i])));
        }
        for (int i = 0; algorithm.pipelined() && i < CHUNKS.length; i++) {
            long windows = bytes / CHUNKS[i];
            if (windows >= FEWEST_WINDOWS && windows <= MOST_WINDOWS) {
                best = faster(best, new Way(algorithm.name() + " chunk " + ByteSize.compact(CHUNKS[i]),
                    seconds(scheduled, bytes, CHUNKS[i], RADICES[0])));
            }
        }
        return best;
    }

    private static Way faster(Way one, Way other) {
        return other.seconds < one.seconds ? other : one;
    }

    private double seconds(ScheduledAlgorithm algorithm, long bytes, long chunk, int radix) {
        return simulator.run(new SimulatedCall(algorithm, ranks, 0, bytes, chunk, radix, wires)).seconds();
    }
}

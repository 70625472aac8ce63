package org.brigade.select;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.PredictedCall;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.catalogue.StreamCatalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.pattern.TransferRoute;

/**
 * Which algorithm a call would use, why, the alternatives, and the excluded ones: the text of {@code brigade explain}.
 */
public final class Explanation {
    /** Predictions are not better than this. */
    private static final double CLEARLY_FASTER = 0.8;

    private final Selector selector;
    private final Collective collective;
    private final int ranks;
    private final long bytes;
    private final boolean commutative;
    private final CommunicatorTopology wires;

    private Explanation(Selector selector, Collective collective, int ranks, long bytes, boolean commutative,
        CommunicatorTopology wires) {
        this.selector = selector;
        this.collective = collective;
        this.ranks = ranks;
        this.bytes = bytes;
        this.commutative = commutative;
        this.wires = wires;
    }

    /**
     * Explains one call.
     *
     * @param bytes as {@link SizeThresholds} counts them
     * @throws TuningException as {@link Selector#ladder} does, and if no algorithm can serve this size
     */
    public static String of(Selector selector, Collective collective, int ranks, long bytes, boolean commutative) {
        return of(selector, collective, ranks, bytes, commutative, CommunicatorTopology.NONE);
    }

    /** As above, on a communicator with these wires. */
    public static String of(Selector selector, Collective collective, int ranks, long bytes, boolean commutative,
        CommunicatorTopology wires) {
        return new Explanation(selector, collective, ranks, bytes, commutative, wires).text();
    }

    /**
     * The same for programs: names and values, of which lists and maps are some.
     *
     * @throws TuningException as {@link #of}
     */
    public static Map<String, Object> named(Selector selector, Collective collective, int ranks, long bytes,
        boolean commutative, CommunicatorTopology wires) {
        return new Explanation(selector, collective, ranks, bytes, commutative, wires).named();
    }

    private Choice choice() {
        SizeThresholds ladder = selector.calls() == CallMode.STREAMS ? selector.ladder(collective, ranks, commutative)
            : selector.ladder(collective, ranks, commutative, Placement.ALIGNED, wires);
        Choice choice = ladder.choice(ladder.step(bytes));
        if (!choice.served()) {
            throw new TuningException(choice.rule());
        }
        return choice;
    }

    private Map<String, Object> named() {
        Choice choice = choice();
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("collective", collective.key());
        named.put("ranks", ranks);
        named.put("nodes", wires.nodes());
        named.put("fabric", wires.fabric().isEmpty() ? null : wires.fabric());
        boolean several = wires.nodes() > 1 && selector.space() == MemorySpace.HOST;
        named.put("local", several ? wires.local() : null);
        named.put("latencyNanos", several ? selector.speed(wires).latencyNanos() : null);
        named.put("bitsPerSecond", several ? selector.speed(wires).bitsPerSecond() : null);
        named.put("ports", several ? selector.speed(wires).ports() : null);
        named.put("speedSource", several ? selector.speed(wires).source() : null);
        named.put("space", selector.space().name().toLowerCase(Locale.ROOT));
        named.put("onStream", selector.calls() == CallMode.STREAMS);
        named.put("bytes", bytes);
        named.put("commutative", commutative);
        named.put("algorithm", choice.algorithm().name());
        named.put("schedule", choice.algorithm().schedule() == null ? null : choice.algorithm().schedule().name());
        named.put("chunkBytes", choice.chunkBytes());
        named.put("radix", choice.algorithm().radixed() ? choice.radix() : null);
        named.put("sharePercent", choice.sharePercent());
        named.put("staged", choice.staged());
        named.put("rule", choice.rule());
        named.put("otherwise", otherwise(choice).lines().map(String::strip).toList());
        List<Map<String, Object>> others = new ArrayList<>();
        for (Alternative other : alternatives(choice)) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("algorithm", other.name());
            one.put("predictedRatio", other.ratio());
            others.add(one);
        }
        named.put("alternatives", others);
        named.put("excluded", excluded(choice));
        named.put("property", Settings.property(selector.space().key(collective, "algorithm")));
        return named;
    }

    private String text() {
        Choice choice = choice();
        String key = collective.key();
        String name = choice.algorithm().name();
        boolean device = selector.space() == MemorySpace.DEVICE;
        boolean sized = collective != Collective.BARRIER;
        return key + ", " + ranks + (ranks == 1 ? " rank" : " ranks") + " on " + wires.nodes()
            + (wires.nodes() == 1 ? " node, "
                : wires.fabric().isEmpty() ? " nodes, " : " nodes joined by " + wires.fabric() + ", ")
            + selector.space().words + (selector.calls() == CallMode.STREAMS ? ", on a stream" : "")
            + (sized ? ", " + ByteSize.words(bytes) : "")
            + (collective.reduces && !commutative ? ", non-commutative operation" : "") + ": " + choice.words() + "\n"
            + "  " + choice.rule() + "\n"
            + first(choice)
            + network()
            + otherwise(choice)
            + ways(choice.algorithm())
            + "  also possible: " + possible(choice) + "\n"
            + outweighed(choice)
            + "  excluded: " + impossible(choice) + "\n"
            + "  force it: -D" + Settings.property(selector.space().key(collective, "algorithm")) + "=" + name
            + (device ? "   doubt it: brigade verify --space device --collective " + key + " --algorithm " + name
                : "   see it: --schedule   doubt it: brigade verify --collective " + key + " --algorithm "
                    + name)
            + "\n";
    }

    /** What serves a job's first calls; empty if the same does. */
    private String first(Choice usual) {
        if (selector.space() == MemorySpace.DEVICE || selector.calls() != CallMode.BLOCKING) {
            return "";
        }
        SizeThresholds ladder =
            selector.ofFirstCalls().ladder(collective, ranks, commutative, Placement.ALIGNED, wires);
        Choice choice = ladder.choice(ladder.step(bytes));
        return choice.algorithm() == usual.algorithm() ? ""
            : "  a job's first " + CallMode.FIRST_CALLS + " calls: " + choice.words() + "\n    " + choice.rule() + "\n";
    }

    /** What is known of the network between the nodes, as rules ask for it; empty for one node. */
    private String network() {
        return wires.nodes() == 1 || selector.space() == MemorySpace.DEVICE ? ""
            : "  at most " + wires.local() + (wires.local() == 1 ? " rank" : " ranks") + " a node"
                + (wires.domains() == 1 ? "" : " in " + wires.domains() + " domains") + "; network: "
                + selector.speed(wires) + "\n";
    }

    /**
     * The order in which the algorithm visits the ranks, and the path from each to the next, if known; for chains, the
     * one from rank 0.
     */
    private String ways(Algorithm algorithm) {
        boolean stores = algorithm.launched();
        Algorithm scheduled = stores ? algorithm.schedule() : algorithm;
        boolean inRankOrder = collective.reduces && !commutative;
        Order order = !inRankOrder && (wires.isOrdered() || wires.hasChains())
            ? scheduled.wireUse().followed(wires, 0, ranks) : null;
        if (order == null) {
            return "";
        }
        StringBuilder text = new StringBuilder("  order: ").append(order).append('\n');
        for (int position = 0; position < ranks; position++) {
            if (order.way(position) != null) {
                text.append("    rank ").append(order.rank(position)).append(" to ")
                    .append(order.rank((position + 1) % ranks)).append(": ").append(order.way(position))
                    .append(
                        stores && order.way(position) != TransferRoute.WRITE
                            ? " was the fastest; kernels store directly" : "")
                    .append('\n');
            }
        }
        return text.toString();
    }

    /** Lines with the algorithms that other circumstances would bring, of which the command line has not told. */
    private String otherwise(Choice choice) {
        return selector.calls() == CallMode.STREAMS ? unregistered(choice)
            : selector.space() == MemorySpace.DEVICE ? elsewhere(choice) : joinedOtherwise(choice);
    }

    /**
     * The algorithm for buffers that lie otherwise, if it is another one:
     * {@code   where buffers do not lie at multiples of 16 bytes: push}.
     */
    private String elsewhere(Choice usual) {
        StringBuilder text = new StringBuilder();
        for (Placement placement : Placement.values()) {
            SizeThresholds ladder = selector.ladder(collective, ranks, commutative, placement, wires);
            Choice other = ladder.choice(ladder.step(bytes));
            // Both reasons together are worth a line only if neither alone gives this algorithm.
            boolean single = placement != Placement.UNALIGNED_IN_PLACE || text.isEmpty();
            if (other.served() && single && other.algorithm() != usual.algorithm()) {
                text.append("  ")
                    .append(placement.aligned ? ""
                        : "where buffers or blocks do not begin at multiples of " + Placement.ALIGNMENT + " bytes")
                    .append(placement.inPlace ? (placement.aligned ? "" : " and ") + "in place" : "").append(": ")
                    .append(other.words()).append('\n');
            }
        }
        return text.toString();
    }

    /**
     * The algorithm for nodes joined by another fabric than the one named, if it is another one: by fabric, and whether
     * it has reflective memory.
     */
    private String joinedOtherwise(Choice usual) {
        if (wires.nodes() == 1) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        Choice bySisci = usual;
        if (wires.fabric().isEmpty()) {
            bySisci = on(wires.joinedBy(FabricNames.SISCI));
            text.append(differs(bySisci, usual, "joined by SISCI (--fabric sisci)"));
            text.append(differs(on(wires.joinedBy(FabricNames.MPI)), usual, "joined by the host's MPI (--fabric mpi)"));
        }
        if (!wires.multicast() && (wires.fabric().isEmpty() || wires.fabric().equals(FabricNames.SISCI))) {
            text.append(differs(on(wires.joinedBy(FabricNames.SISCI).multicast(true)), bySisci,
                "joined by SISCI with reflective memory (--fabric sisci --multicast), as its adapters have"));
        }
        return text.toString();
    }

    private Choice on(CommunicatorTopology others) {
        SizeThresholds ladder = selector.ladder(collective, ranks, commutative, Placement.ALIGNED, others);
        return ladder.choice(ladder.step(bytes));
    }

    private static String differs(Choice other, Choice usual, String where) {
        return !other.served() || other.words().equals(usual.words()) ? ""
            : "  where the nodes are " + where + ": " + other.words() + "\n";
    }

    /** The algorithm on a stream if this rank's peers have not registered their buffers, if it is another one. */
    private String unregistered(Choice usual) {
        SizeThresholds ladder = selector.onStreams(Registration.NEITHER).ladder(collective, ranks, commutative);
        Choice other = ladder.choice(ladder.step(bytes));
        if (!other.served() || other.algorithm().name().equals(usual.algorithm().name())) {
            return "";
        }
        boolean pieces = other.staged();
        return "  where buffers are not registered: "
            + (pieces ? "in pieces, by packets or through registered memory" : other.words()) + "\n";
    }

    /** Why an algorithm does not serve such a call; null if it does. */
    private String violated(Algorithm algorithm) {
        String why = algorithm.restrictions().violatedBy(ranks, bytes, commutative);
        if (why == null) {
            why = algorithm.wireUse().pointless(wires);
        }
        return why == null && selector.calls() == CallMode.STREAMS
            && algorithm.restrictions().violatedBy(StreamCatalogue.PLACEMENT) != null ? "not on streams" : why;
    }

    private record Alternative(String name, double ratio) {
    }

    /** What else could serve the call, the cheapest first by prediction. */
    private List<Alternative> alternatives(Choice chosen) {
        double base = cost(chosen.algorithm(), chosen.chunkBytes(), chosen.radix(), chosen.sharePercent());
        List<Alternative> others = new ArrayList<>();
        for (Algorithm algorithm : selector.algorithms(collective)) {
            if (algorithm != chosen.algorithm() && violated(algorithm) == null) {
                long chunk = selector.chunk(algorithm, ranks, bytes, wires);
                int radix = algorithm.radixed() ? Selector.DEFAULT_RADIX : 2;
                others.add(new Alternative(algorithm.name() + (algorithm.radixed() ? " radix " + radix : ""),
                    cost(algorithm, chunk, radix, 0) / base));
            }
        }
        others.sort(Comparator.comparingDouble(Alternative::ratio));
        return others;
    }

    private String possible(Choice chosen) {
        StringBuilder text = new StringBuilder();
        boolean predicted = false;
        for (Alternative other : alternatives(chosen)) {
            text.append(text.isEmpty() ? "" : ", ").append(other.name());
            if (!Double.isNaN(other.ratio())) {
                text.append(predicted ? " (" : " (predicted ")
                    .append(String.format(Locale.ROOT, "%.1f x)", other.ratio()));
                predicted = true;
            }
        }
        return text.isEmpty() ? "none" : text.toString();
    }

    private double cost(Algorithm algorithm, long chunk, int radix, int share) {
        return algorithm.cost(selector.costs(wires), new PredictedCall(ranks, wires, bytes, chunk, radix, share));
    }

    /** The excluded algorithms and why, without a forced one, which runs all the same. */
    private Map<String, String> excluded(Choice chosen) {
        Map<String, String> excluded = new LinkedHashMap<>();
        for (Algorithm algorithm : selector.algorithms(collective)) {
            String why = violated(algorithm);
            if (why != null && algorithm != chosen.algorithm()) {
                excluded.put(algorithm.name(), why);
            }
        }
        return excluded;
    }

    /** The excluded algorithms by reason: {@code pull, partitioned (needs all ranks on one node)}. */
    private String impossible(Choice chosen) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        excluded(chosen).forEach((name, why) -> byReason.computeIfAbsent(why, none -> new ArrayList<>()).add(name));
        StringBuilder text = new StringBuilder();
        byReason.forEach((why, names) -> text.append(text.isEmpty() ? "" : "; ").append(String.join(", ", names))
            .append(" (").append(why).append(')'));
        return text.isEmpty() ? "none" : text.toString();
    }

    /** Why an algorithm that is predicted faster was not taken; empty if none is. */
    private String outweighed(Choice chosen) {
        if (alternatives(chosen).stream().noneMatch(other -> other.ratio() < CLEARLY_FASTER)) {
            return "";
        }
        String tune = selector.space() == MemorySpace.DEVICE ? "--space device"
            : wires.nodes() > 1 ? "--nodes" : "--space host";
        return chosen.rule().contains("measured") ? "  the rule was measured, which counts more than predictions\n"
            : "  a rule decides before predictions do, and nobody has measured this one on such a machine: brigade"
                + " tune " + tune + " does\n";
    }
}

package org.brigade.select;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import mpi.spi.Collective;
import mpi.spi.Counts;
import org.brigade.algorithm.CostModel;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.NetworkSpeed;

/**
 * Which algorithm runs when: rules in order; the first that matches and may run wins. A text with one rule a line:
 *
 * <pre>
 *   # a comment, to the end of the line
 *   latency 250                                            ns of an empty message (alpha), for predictions
 *   bandwidth 12.5                                         GB/s of one transfer (1 / beta)
 *   tuned by Brigade 0.1.0, catalogue 1f2e3d4c             in a table of brigade tune: what it was made for
 *   machine 2 processors, 2 cores, ...                     the same: the shape of the machine
 *   measured 2026-11-20 on 2 virtual cores                 applies to the rules below it
 *   simulated on rx1 with 64 ranks                         the same, for rules that were simulated only
 *   bcast ranks 2..8 bytes ..48 fused-flat                bounds are inclusive and may be left out on either side
 *   bcast ranks 3.. bytes 1M.. pipelined-chain chunk 64K
 *   bcast nodes 2.. bytes 32K.. hierarchical              if the ranks are on this many nodes
 *   bcast nodes 2.. fabric sisci bytes 32K.. chain        and if this fabric joins them: sisci, mpi, ucx
 *   bcast local 1 rate 1G.. latency ..10us chain           if no node has more ranks, and its link has this rate
 *   bcast nodes 2.. predicted                              what the cost equations think fastest on this network
 *   bcast k-nomial radix 4                                 no bounds: always
 * </pre>
 *
 * In a table of device memory a rule may give {@code blocks 32} (thread blocks of the kernel) and {@code share 10}
 * (percentage of the bytes that goes through host memory), and no radix. It may apply to calls on {@code streams} only,
 * or to {@code blocking} calls and all others that are not on streams.
 *
 * Bytes are those of {@link SizeThresholds}: facts that all ranks share. All ranks of a job must read the same table.
 */
public final class TuningTable {
    private static final int MOST_RULES = 10_000;
    private static final double BITS_OF_A_GIGABYTE = 8e9;
    private static final Collective[] COLLECTIVES = Collective.values();
    private static final String[] KEYS = keys();

    private final String source;
    private final double latencyNanos;
    private final double gigabytesPerSecond;
    private final CostModel costs;
    private final List<TuningRule> rules;
    private final long fingerprint;
    private String text;
    private String tuned = "";
    private String machine = "";
    /** Whether the text gives latency or bandwidth. */
    private boolean hasNumbers;
    /** The tables whose rules this one has, if it is made of two: those whose rules go first, and the others. */
    private TuningTable first;
    private TuningTable second;

    private TuningTable(String source, double latencyNanos, double gigabytesPerSecond, List<TuningRule> rules,
        long fingerprint) {
        this.source = source;
        this.latencyNanos = latencyNanos;
        this.gigabytesPerSecond = gigabytesPerSecond;
        costs = new CostModel(latencyNanos, gigabytesPerSecond);
        this.rules = rules;
        this.fingerprint = fingerprint;
    }

    /** These rules behind those of another table. Predictions are this table's. */
    TuningTable behind(TuningTable other) {
        List<TuningRule> all = new ArrayList<>(other.rules);
        all.addAll(rules);
        TuningTable both = new TuningTable(source, latencyNanos, gigabytesPerSecond, all,
            31 * fingerprint + other.fingerprint);
        both.hasNumbers = hasNumbers;
        both.first = other;
        both.second = this;
        return both;
    }

    /** A hash of the table's text. */
    public long fingerprint() {
        return fingerprint;
    }

    /**
     * Reads a table.
     *
     * @param source its name in messages, such as the file's name
     * @throws TuningException at the first line that is not as described above; names its number and the cure
     */
    public static TuningTable parse(String source, String text) {
        return parse(MemorySpace.HOST, source, text);
    }

    /** As {@link #parse(String, String)}, for a space. */
    public static TuningTable parse(MemorySpace space, String source, String text) {
        double latency = 250;
        double bandwidth = 12;
        int numbers = 0;
        String provenance = "";
        String tuned = "";
        String machine = "";
        List<TuningRule> rules = new ArrayList<>();
        int number = 0;
        for (int from = 0; from < text.length();) {
            int end = text.indexOf('\n', from);
            if (end < 0) {
                end = text.length();
            }
            number++;
            TuningLine line = new TuningLine(source, number, text, from, end);
            from = end + 1;
            String word = line.next();
            if (word == null) {
                continue;
            }
            switch (word) {
                case "latency", "bandwidth" -> {
                    boolean time = word.equals("latency");
                    latency = time ? line.positive("nanoseconds") : latency;
                    bandwidth = time ? bandwidth : line.positive("GB/s");
                    numbers++;
                }
                case "tuned" -> tuned = line.rest();
                case "machine" -> machine = line.rest();
                case "measured", "simulated" -> provenance = word + ' ' + line.rest();
                default -> rules.add(rule(space, line, word, number, provenance));
            }
            line.end();
            if (rules.size() > MOST_RULES) {
                throw line.error("more than " + MOST_RULES + " rules; merge some");
            }
        }
        TuningTable table = new TuningTable(source, latency, bandwidth, rules, text.hashCode());
        table.text = text;
        table.tuned = tuned;
        table.machine = machine;
        table.hasNumbers = numbers > 0;
        return table;
    }

    private static TuningRule rule(MemorySpace space, TuningLine line, String first, int number, String provenance) {
        Collective collective = null;
        for (int i = 0; i < KEYS.length && collective == null; i++) {
            if (KEYS[i].equals(first)) {
                collective = COLLECTIVES[i];
            }
        }
        if (collective == null) {
            throw line.error("'" + line.shown(first)
                + "' is no collective; a line begins with latency, bandwidth, tuned, machine, measured, simulated or"
                + " one of " + String.join(", ", KEYS));
        }
        RuleScope.Range ranks = RuleScope.Range.ANY;
        RuleScope.Range nodes = RuleScope.Range.ANY;
        RuleScope.Range local = RuleScope.Range.ANY;
        RuleScope.Range domains = RuleScope.Range.ANY;
        RuleScope.Range rate = RuleScope.Range.ANY;
        RuleScope.Range latency = RuleScope.Range.ANY;
        RuleScope.Range ports = RuleScope.Range.ANY;
        long[] bytes = {0, Long.MAX_VALUE};
        String fabric = "";
        String algorithm = null;
        long chunk = 0;
        long radix = 0;
        long blocks = 0;
        long share = 0;
        CallMode calls = CallMode.ALL;
        for (String word = line.next(); word != null; word = line.next()) {
            switch (word) {
                case "ranks" -> ranks = line.range(word, RuleScope.Scale.COUNT);
                case "nodes" -> nodes = line.range(word, RuleScope.Scale.COUNT);
                case "local" -> local = only(MemorySpace.HOST, space, line, word).range(word, RuleScope.Scale.COUNT);
                case "domains" ->
                    domains = only(MemorySpace.HOST, space, line, word).range(word, RuleScope.Scale.COUNT);
                case "ports" -> ports = only(MemorySpace.HOST, space, line, word).range(word, RuleScope.Scale.COUNT);
                case "rate" -> rate = only(MemorySpace.HOST, space, line, word).range(word, RuleScope.Scale.RATE);
                case "latency" ->
                    latency = only(MemorySpace.HOST, space, line, word).range(word, RuleScope.Scale.LATENCY);
                case "fabric" -> {
                    fabric = only(MemorySpace.HOST, space, line, "fabric").next();
                    if (fabric == null) {
                        throw line.error(
                            "'fabric' names none; write for instance: bcast nodes 2.. fabric sisci hierarchical");
                    }
                    String unknown = FabricNames.complaint(fabric);
                    if (unknown != null) {
                        throw line.error(unknown);
                    }
                }
                case "bytes" -> bytes = line.bytes();
                case "chunk" -> chunk = line.number("chunk", TuningRule.LEAST_CHUNK, TuningRule.MOST_CHUNK);
                case "radix" ->
                    radix = only(MemorySpace.HOST, space, line, "radix").number("radix", 2, TuningRule.MOST_RADIX);
                case "blocks" ->
                    blocks =
                        only(MemorySpace.DEVICE, space, line, "blocks").number("blocks", 1, TuningRule.MOST_BLOCKS);
                case "share" ->
                    share = only(MemorySpace.DEVICE, space, line, "share").number("share", 0, TuningRule.MOST_SHARE);
                case "streams", "blocking" -> {
                    only(MemorySpace.DEVICE, space, line, word);
                    if (calls != CallMode.ALL) {
                        throw line
                            .error("says streams or blocking twice; a rule for all calls has neither word");
                    }
                    calls = word.equals("streams") ? CallMode.STREAMS : CallMode.BLOCKING;
                }
                case "first" -> {
                    only(MemorySpace.HOST, space, line, word);
                    calls = CallMode.FIRST;
                }
                default -> {
                    if (algorithm != null) {
                        throw line.error("'" + line.shown(word) + "' after the algorithm " + line.shown(algorithm)
                            + "; the words are: ranks A..B, nodes A..B, bytes A..B, "
                            + (space == MemorySpace.HOST
                                ? "local A..B, fabric NAME, rate A..B, latency A..B, ports A..B, domains A..B, first, "
                                : "streams or blocking, ")
                            + "one algorithm, chunk SIZE, "
                            + (space == MemorySpace.HOST ? "radix NUMBER" : "blocks NUMBER, share PERCENT"));
                    }
                    algorithm = word;
                }
            }
        }
        if (collective.counts == Counts.LOCAL && (bytes[0] > 0 || bytes[1] < Long.MAX_VALUE)) {
            throw line.error("ranks know different byte counts of " + first
                + ", so they would choose differently and wait for ever; give ranks and nodes only");
        }
        if (algorithm == null) {
            throw line.error("names no algorithm; write for instance: bcast ranks 2..8 bytes ..48 fused-flat");
        }
        if (algorithm.equals(TuningRule.PREDICTED)) {
            only(MemorySpace.HOST, space, line, algorithm);
            if (collective.counts == Counts.LOCAL) {
                throw line.error("ranks know different byte counts of " + first
                    + ", which the equations need; name an algorithm");
            }
            if (chunk > 0 || radix > 0) {
                throw line.error("the equations find chunk and radix of what is predicted; leave these out");
            }
        }
        RuleScope scope = new RuleScope(ranks, nodes, local, domains, fabric, rate, latency, ports);
        return new TuningRule(collective, scope, bytes[0], bytes[1], algorithm, chunk, (int) radix, (int) blocks,
            (int) share, number, provenance, calls);
    }

    private static TuningLine only(MemorySpace meant, MemorySpace space, TuningLine line, String word) {
        if (space != meant) {
            throw line
                .error(
                    "'" + word + "' belongs in a table of " + meant.words + ", and this is a table of " + space.words);
        }
        return line;
    }

    private static String[] keys() {
        String[] keys = new String[COLLECTIVES.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = COLLECTIVES[i].key();
        }
        return keys;
    }

    /** The table's name in messages. */
    public String source() {
        return source;
    }

    /** The name of the table that a rule is from. */
    String source(TuningRule rule) {
        return first == null ? source : first.rules.contains(rule) ? first.source(rule) : second.source(rule);
    }

    /** What was parsed. */
    public String text() {
        return text;
    }

    /** The table whose rules go first; null if this one is not made of two. */
    TuningTable first() {
        return first;
    }

    /** What brigade tune made the table for; empty if the table does not say. */
    public String tuned() {
        return tuned;
    }

    /** The shape of the machine that the table was measured on; empty if the table does not say. */
    public String machine() {
        return machine;
    }

    /** The cost model for predictions. */
    public CostModel costs() {
        return costs;
    }

    /** Nanoseconds of an empty message: alpha, or ts in the papers. */
    public double latencyNanos() {
        return latencyNanos;
    }

    /** Bandwidth of one transfer, 10^9 bytes a second: B in the papers. */
    public double gigabytesPerSecond() {
        return gigabytesPerSecond;
    }

    /** The network that the table's first lines describe; null if it has none. */
    NetworkSpeed speed(String how) {
        return !hasNumbers ? null : new NetworkSpeed(Math.max(1, Math.round(latencyNanos)),
            Math.max(1, Math.round(BITS_OF_A_GIGABYTE * gigabytesPerSecond)), 1, how + source);
    }

    /** Those of a collective that hold for these ranks, wires and network, for whatever bytes and calls; in order. */
    TuningRule[] concerning(Collective collective, int ranks, CommunicatorTopology wires, NetworkSpeed speed) {
        TuningRule[] found = new TuningRule[rules.size()];
        int count = 0;
        for (int i = 0; i < found.length; i++) {
            TuningRule rule = rules.get(i);
            if (rule.collective() == collective && rule.scope().has(ranks, wires, speed)) {
                found[count++] = rule;
            }
        }
        return Arrays.copyOf(found, count);
    }

    /** The rules in the order of the text. */
    public List<TuningRule> rules() {
        return Collections.unmodifiableList(rules);
    }
}

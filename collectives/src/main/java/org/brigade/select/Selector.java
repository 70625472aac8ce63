package org.brigade.select;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CostModel;
import org.brigade.algorithm.Placement;
import org.brigade.algorithm.Registration;
import org.brigade.algorithm.WireUse;
import org.brigade.algorithm.catalogue.StreamCatalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.NetworkSpeed;

/**
 * Decides which algorithm serves a call: the one that the user forces, else the first rule of the tuning table whose
 * algorithm may run, else the first algorithm of the catalogue that may. Restrictions come before rules, so a rule with
 * an excluded algorithm is skipped. All of this depends only on facts that every rank shares. Immutable.
 */
public final class Selector {
    /** Window of host memory's pipelined algorithms if neither a rule, a setting nor the cost model gives one. */
    public static final long DEFAULT_CHUNK = MemorySpace.HOST.chunkBytes;
    /** Branching of trees if neither a rule nor a setting gives one. */
    public static final int DEFAULT_RADIX = 4;

    /** log2 of the bytes from which on the cost model may choose different windows. */
    private static final int FIRST_MODELLED = 12;
    /** The same from which on the equations may choose different algorithms. */
    private static final int FIRST_PREDICTED = 8;
    /** From where to where one algorithm may become much better than another between two powers of two. */
    private static final int FIRST_HALVED = 11;
    private static final int LAST_HALVED = 24;
    /** log2 of the bytes beyond which neither changes. */
    private static final int LAST_MODELLED = 36;

    private final MemorySpace space;
    private final Algorithms algorithms;
    private final TuningTable table;
    /** Of ranks on several nodes, by how many these are and have; made when needed: most jobs run on one node. */
    private final Map<Long, TuningTable> networks;
    private final Settings settings;
    /** If it is on, the kernel that is already on the GPU serves what it can: a launched kernel cannot be faster. */
    private final ResidentMode resident;
    private final CallMode calls;
    /** Passes over algorithms that do not {@link Algorithm#fallsBackOnSchedule fall back on a schedule}. */
    private final boolean schedules;

    public Selector(Algorithms algorithms, TuningTable table, Settings settings) {
        this(MemorySpace.HOST, algorithms, table, settings);
    }

    public Selector(MemorySpace space, Algorithms algorithms, TuningTable table, Settings settings) {
        this(space, algorithms, table, new HashMap<>(), settings, CallMode.BLOCKING, false);
    }

    private Selector(MemorySpace space, Algorithms algorithms, TuningTable table, Map<Long, TuningTable> networks,
        Settings settings, CallMode calls, boolean schedules) {
        this.space = space;
        this.algorithms = algorithms;
        this.table = table;
        this.networks = networks;
        this.settings = settings;
        this.calls = calls;
        this.schedules = schedules;
        resident =
            space == MemorySpace.DEVICE && calls == CallMode.BLOCKING ? ResidentMode.of(settings) : ResidentMode.OFF;
    }

    /**
     * The selector for calls on streams, by the same table and settings: of device memory, with these buffers
     * registered ({@link Registration#SEND} and so on). Its ladders are those of {@link StreamCatalogue#PLACEMENT}.
     */
    public Selector onStreams(int registered) {
        Algorithms catalogue = new Algorithms() {
            @Override
            public List<? extends Algorithm> of(Collective collective) {
                return StreamCatalogue.of(collective, registered);
            }
        };
        return new Selector(space, catalogue, table, networks, settings, CallMode.STREAMS, false);
    }

    /**
     * The selector for calls that algorithms without a schedule of their own cannot serve, by the same table and
     * settings: nonblocking calls, and those of ranks that share no memory.
     */
    public Selector ofSchedules() {
        return new Selector(space, algorithms, table, networks, settings, calls, true);
    }

    /** The selector for the first calls of a job, by the same table and settings. */
    public Selector ofFirstCalls() {
        return new Selector(space, algorithms, table, networks, settings, CallMode.FIRST, schedules);
    }

    /** The table that decides for ranks with these wires: of one node, or of several. */
    public TuningTable table(CommunicatorTopology wires) {
        if (wires.nodes() == 1 || space == MemorySpace.DEVICE) {
            return table;
        }
        int local = wires.local();
        long shape = (long) wires.nodes() << Integer.SIZE | local;
        synchronized (networks) {
            TuningTable known = networks.get(shape);
            if (known == null) {
                known = TuningSource.between(table, wires.nodes(), local);
                networks.put(shape, known);
            }
            return known;
        }
    }

    /** The speed of the network between these nodes, as far as anybody knows; any for one node. */
    NetworkSpeed speed(CommunicatorTopology wires) {
        NetworkSpeed tuned = table.first() == null ? null : table.first().speed("measured by brigade tune --nodes, ");
        if (tuned != null) {
            return tuned;
        }
        return wires.speed() != null ? wires.speed() : assumed(table(wires));
    }

    private static NetworkSpeed assumed(TuningTable named) {
        NetworkSpeed speed = named.speed("assumed by ");
        return speed != null ? speed
            : new NetworkSpeed(NetworkSpeed.SOCKETS_NANOS, NetworkSpeed.GIGABIT, 1, "assumed");
    }

    /** The costs of messages on these wires: between nodes, if there are several. */
    CostModel costs(CommunicatorTopology wires) {
        if (wires.nodes() == 1 || space == MemorySpace.DEVICE) {
            return table.costs();
        }
        return CostModel.between(speed(wires), wires.nodes());
    }

    /**
     * A network's speed as people write it; what they leave out is as the table assumes.
     *
     * @param rate {@code 200M}, or null
     * @param latency {@code 30us}, or null
     * @return null if nothing is given
     * @throws IllegalArgumentException if it cannot be read
     */
    public NetworkSpeed speed(String rate, String latency, int ports) {
        if (rate == null && latency == null && ports == 1) {
            return null;
        }
        NetworkSpeed assumed = assumed(TuningSource.between(table, 1, 1));
        long bits = rate == null ? assumed.bitsPerSecond() : RuleScope.Scale.RATE.parse(rate);
        long nanos = latency == null ? assumed.latencyNanos() : RuleScope.Scale.LATENCY.parse(latency);
        if (bits < 1 || nanos < 1 || ports < 1) {
            throw new IllegalArgumentException("a network is given as --rate 200M, --latency 30us and --ports 1");
        }
        return new NetworkSpeed(nanos, bits, ports, "as given");
    }

    /** The calls that this selector serves: on streams, a job's first, or all others. */
    public CallMode calls() {
        return calls;
    }

    /** The selector of host memory, with the table and settings that this process was given. */
    public static Selector ofThisProcess() {
        return of(MemorySpace.HOST, Settings.ofThisProcess());
    }

    /** The selector of device memory, likewise. */
    public static Selector ofThisProcessForDevices() {
        return of(MemorySpace.DEVICE, Settings.ofThisProcess());
    }

    /**
     * The selector of a space.
     *
     * @throws TuningException if the table cannot be read or followed
     */
    public static Selector of(MemorySpace space, Settings settings) {
        return new Selector(space, space, TuningSource.load(space, settings), settings);
    }

    /**
     * The selector of host memory by a table, and before its rules those that were tuned here.
     *
     * @param tuned null if there are none
     */
    public static Selector of(TuningTable table, TuningTable tuned, Settings settings) {
        return new Selector(MemorySpace.HOST, tuned == null ? table : table.behind(tuned), settings);
    }

    public MemorySpace space() {
        return space;
    }

    public TuningTable table() {
        return table;
    }

    /** All algorithms of a collective, including those that may not run. */
    public List<? extends Algorithm> algorithms(Collective collective) {
        return algorithms.of(collective);
    }

    /**
     * The choices by size for one collective on a communicator of this many ranks. Ask once per communicator and keep
     * them.
     *
     * @param commutative whether the operation commutes; true for collectives that do not reduce
     * @throws TuningException if a setting names no algorithm, or one that cannot serve these ranks or this operation
     */
    public SizeThresholds ladder(Collective collective, int ranks, boolean commutative) {
        return ladder(collective, ranks, commutative,
            calls == CallMode.STREAMS ? StreamCatalogue.PLACEMENT : Placement.ALIGNED);
    }

    /**
     * As {@link #ladder(Collective, int, boolean)}, for calls whose buffers lie like this on all ranks together. If a
     * forced algorithm cannot serve them, the table decides, as placement is a matter of single calls.
     */
    public SizeThresholds ladder(Collective collective, int ranks, boolean commutative, Placement placement) {
        return ladder(collective, ranks, commutative, placement, CommunicatorTopology.NONE);
    }

    /**
     * As above, on a communicator with these wires, which all ranks know. Skips rules whose algorithm could not use
     * them; a forced algorithm runs anyway: every algorithm is correct without wires.
     */
    public SizeThresholds ladder(Collective collective, int ranks, boolean commutative, Placement placement,
        CommunicatorTopology wires) {
        List<? extends Algorithm> all = algorithms.of(collective);
        TuningTable decides = table(wires);
        NetworkSpeed speed = speed(wires);
        TuningRule[] rules = decides.concerning(collective, ranks, wires, speed);
        Question asked = new Question(collective, ranks, commutative, placement, wires, speed, all,
            Forced.of(space, collective, settings, all), schedules, decides, rules, new String[rules.length],
            costs(wires));
        long[] bounds = bounds(asked);
        long[] upTo = new long[bounds.length];
        Choice[] choices = new Choice[bounds.length];
        int steps = 0;
        for (long bound : bounds) {
            Choice choice = choose(asked, bound);
            if (steps > 0 && choices[steps - 1].sameAs(choice)) {
                upTo[steps - 1] = bound;
            } else {
                choices[steps] = choice;
                upTo[steps++] = bound;
            }
        }
        return new SizeThresholds(Arrays.copyOf(upTo, steps), Arrays.copyOf(choices, steps));
    }

    /** The upper ends of all stretches of sizes within which no rule and no restriction begins or ends, ascending. */
    private long[] bounds(Question asked) {
        TuningRule[] rules = asked.rules;
        long[] bounds = new long[2 * rules.length + asked.all.size() + 2 + 2 * Long.SIZE];
        int n = 0;
        bounds[n++] = Long.MAX_VALUE;
        bounds[n++] = resident.mostBytes();
        int first = modelsChunks(asked) ? FIRST_MODELLED : Long.SIZE;
        for (TuningRule rule : rules) {
            if (rule.calls().include(calls)) {
                first = rule.isPredicted() ? FIRST_PREDICTED : first;
                bounds[n++] = rule.maxBytes();
                if (rule.minBytes() > 0) {
                    bounds[n++] = rule.minBytes() - 1;
                }
            }
        }
        for (Algorithm algorithm : asked.all) {
            bounds[n++] = algorithm.restrictions().maximumBytes(asked.ranks);
        }
        // The model's windows are powers of two, each best for sizes of some such steps.
        for (int shift = first; shift <= LAST_MODELLED; shift++) {
            bounds[n++] = 1L << shift;
            if (first == FIRST_PREDICTED && shift >= FIRST_HALVED && shift <= LAST_HALVED) {
                bounds[n++] = 3L << shift - 1;
            }
        }
        return ascending(bounds, n);
    }

    /** Whether a window may have to be found by the cost model. */
    private boolean modelsChunks(Question asked) {
        if (space == MemorySpace.DEVICE || asked.forced.chunkBytes() > 0) {
            return false;
        }
        if (asked.forced.algorithm() != null) {
            return asked.forced.algorithm().pipelined();
        }
        for (TuningRule rule : asked.rules) {
            if (rule.chunkBytes() == 0 && !rule.isPredicted() && find(asked, rule).pipelined()) {
                return true;
            }
        }
        return false;
    }

    /**
     * The window that the cost model thinks best for an algorithm and size if neither a rule nor a setting gives one;
     * the space's default if the model does not apply, 0 if the algorithm is not pipelined.
     */
    long chunk(Algorithm algorithm, int ranks, long bytes, CommunicatorTopology wires) {
        if (!algorithm.pipelined() || space == MemorySpace.DEVICE) {
            return algorithm.pipelined() ? space.chunkBytes : 0;
        }
        long best = costs(wires).bestChunk(algorithm.hops(ranks, wires), bytes);
        return best == 0 ? space.chunkBytes : best;
    }

    /**
     * The first n numbers sorted, each once. By insertion: there are few, and a JVM takes milliseconds to load its
     * sort.
     */
    private static long[] ascending(long[] numbers, int n) {
        int distinct = 0;
        for (int i = 0; i < n; i++) {
            long number = numbers[i];
            int at = distinct;
            while (at > 0 && numbers[at - 1] > number) {
                at--;
            }
            if (at == 0 || numbers[at - 1] != number) {
                System.arraycopy(numbers, at, numbers, at + 1, distinct - at);
                numbers[at] = number;
                distinct++;
            }
        }
        return Arrays.copyOf(numbers, distinct);
    }

    /**
     * What a ladder is asked for: a collective's calls on one communicator, of whatever bytes.
     *
     * @param rules of the table, for these calls
     * @param lines what is said of each that has been followed; null for the others
     */
    private record Question(Collective collective, int ranks, boolean commutative, Placement placement,
        CommunicatorTopology wires,
        NetworkSpeed speed, List<? extends Algorithm> all, Forced forced, boolean schedules, TuningTable table,
        TuningRule[] rules, String[] lines, CostModel costs) {
        boolean allows(Algorithm algorithm, long bytes) {
            return (!schedules || algorithm.fallsBackOnSchedule()) && algorithm.wireUse().pointless(wires) == null
                && algorithm.restrictions().violatedBy(ranks, bytes, commutative) == null
                && algorithm.restrictions().violatedBy(placement) == null;
        }
    }

    private Choice choose(Question asked, long bytes) {
        Algorithm wished = asked.forced.algorithm();
        if (wished != null && wished.restrictions().violatedBy(asked.placement) == null
            && !needsAnotherNetwork(wished, asked.wires)) {
            return forcedChoice(asked, bytes);
        }
        if (resident.on() && bytes <= resident.mostBytes()) {
            for (Algorithm algorithm : asked.all) {
                if (algorithm.resident() && asked.allows(algorithm, bytes)) {
                    return choice(algorithm, null, asked, bytes, false,
                        "resident mode, up to " + resident.mostBytes() + " bytes");
                }
            }
        }
        boolean wired = false;
        for (int i = 0; i < asked.rules.length; i++) {
            TuningRule rule = asked.rules[i];
            if (rule.includes(bytes) && rule.calls().include(calls)) {
                if (rule.isPredicted()) {
                    Choice choice = predicted(asked, i, bytes, wired);
                    if (choice != null) {
                        return choice;
                    }
                    continue;
                }
                Algorithm algorithm = find(asked, rule);
                // Passed over now, it may be right when the wires are known.
                wired |= algorithm.wireUse().asks();
                if (asked.allows(algorithm, bytes)) {
                    return choice(algorithm, rule, asked, bytes, wired, rule.provenance().isEmpty() ? line(asked, i)
                        : line(asked, i) + ", " + rule.provenance());
                }
            }
        }
        for (Algorithm algorithm : asked.all) {
            if (asked.allows(algorithm, bytes)) {
                return choice(algorithm, null, asked, bytes, wired || algorithm.wireUse().asks(),
                    "no rule of " + asked.table.source() + " serves this: the catalogue's first that may run");
            }
        }
        throw new IllegalStateException(
            "no algorithm serves " + asked.collective.key() + " on " + asked.ranks + " ranks");
    }

    /** What the equations think fastest, with its parameters; null if they know nothing of what may run. */
    private Choice predicted(Question asked, int rule, long bytes, boolean wired) {
        Prediction best = new Prediction(asked.costs, asked.ranks, asked.wires,
            Math.min(bytes, 1L << LAST_MODELLED), asked.forced);
        boolean asks = wired;
        for (Algorithm algorithm : asked.all) {
            asks |= algorithm.wireUse().asks();
            if (asked.allows(algorithm, bytes)) {
                best.consider(algorithm);
            }
        }
        return best.algorithm() == null ? null
            : new Choice(best.algorithm(), best.chunk(), best.radix(), 0, 0, asks,
                line(asked, rule) + ", by the equations for " + asked.speed);
    }

    /**
     * An algorithm that needs a reducing network cannot run without one, even if it is forced, nor can a kernel between
     * nodes: the table decides, as when such a network is lost.
     */
    private static boolean needsAnotherNetwork(Algorithm algorithm, CommunicatorTopology wires) {
        return algorithm.wireUse() == WireUse.NETWORK && wires.reducedBetween() == null
            || algorithm.launched() && wires.nodes() > 1;
    }

    /**
     * A forced algorithm that these ranks or this operation exclude is an error at once; if only some sizes exclude it,
     * it is an error of such a call.
     */
    private Choice forcedChoice(Question asked, long bytes) {
        Forced forced = asked.forced;
        Algorithm algorithm = forced.algorithm();
        int ranks = asked.ranks;
        String violated = algorithm.restrictions().violatedBy(ranks, bytes, asked.commutative);
        if (violated == null) {
            return choice(algorithm, null, asked, bytes, algorithm.wireUse().asks(),
                Choice.FORCED + forced.origin());
        }
        String error = forced.origin() + " cannot be followed on " + ranks + (ranks == 1 ? " rank: " : " ranks: ")
            + algorithm.name() + " "
            + violated + "; force another of " + Forced.names(asked.all) + ", or unset it to leave "
            + asked.collective.key()
            + " to the tuning table";
        if (algorithm.restrictions().violatedBy(ranks, 0, asked.commutative) != null) {
            throw new TuningException(error);
        }
        return new Choice(null, 0, 2, 0, 0, error);
    }

    /**
     * Each parameter from the user, else from the rule, else the default or the cost model's; its neutral value if the
     * algorithm does not use it.
     */
    private Choice choice(Algorithm algorithm, TuningRule rule, Question asked, long bytes, boolean wired,
        String why) {
        Forced forced = asked.forced;
        long chunk = 0;
        if (algorithm.pipelined()) {
            chunk = forced.chunkBytes() > 0 ? forced.chunkBytes()
                : rule != null && rule.chunkBytes() > 0 ? rule.chunkBytes()
                    : chunk(algorithm, asked.ranks, bytes, asked.wires);
        }
        int radix = 2;
        if (algorithm.radixed()) {
            radix =
                forced.radix() > 0 ? forced.radix() : rule != null && rule.radix() > 0 ? rule.radix() : DEFAULT_RADIX;
        }
        int blocks = 0;
        if (algorithm.launched()) {
            blocks = forced.blocks() > 0 ? forced.blocks() : rule != null ? rule.blocks() : 0;
        }
        int share = 0;
        if (algorithm.striped()) {
            share = forced.sharePercent() >= 0 ? forced.sharePercent() : rule != null ? rule.sharePercent() : 0;
        }
        return new Choice(algorithm, chunk, radix, blocks, share, wired, why);
    }

    private static Algorithm find(Question asked, TuningRule rule) {
        for (Algorithm algorithm : asked.all) {
            if (algorithm.name().equals(rule.algorithm())) {
                return algorithm;
            }
        }
        throw new TuningException(
            asked.table.source(rule) + ", line " + rule.line() + ": " + rule.algorithm() + " is no algorithm of "
                + rule.collective().key() + "; there are: " + Forced.names(asked.all));
    }

    private static String line(Question asked, int which) {
        TuningRule rule = asked.rules[which];
        String line = asked.lines[which];
        if (line == null) {
            line = "line " + rule.line() + " of " + asked.table.source(rule) + ": " + rule.conditions();
            asked.lines[which] = line;
        }
        return line;
    }
}

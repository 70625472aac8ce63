package org.brigade.select;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.Catalogue;
import org.brigade.algorithm.DeviceCatalogue;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.schedule.Collective;

/**
 * Decides which algorithm serves which calls: what the user forces, else the first rule of the tuning table whose algorithm may
 * run, else the first algorithm of the catalogue that may. Restrictions filter before any rule is looked at, so a rule whose
 * algorithm is excluded is passed over. All of this depends only on facts that every rank shares. Immutable.
 */
public final class Selector {
    /** Window of pipelined algorithms where neither a rule nor a setting gives one. */
    public static final long DEFAULT_CHUNK = 64 << 10;
    /** Branching of trees where neither a rule nor a setting gives one. */
    public static final int DEFAULT_RADIX = 4;

    private final Algorithms algorithms;
    private final TuningTable table;
    private final Settings settings;

    public Selector(Algorithms algorithms, TuningTable table, Settings settings) {
        this.algorithms = algorithms;
        this.table = table;
        this.settings = settings;
    }

    /** The catalogue, by the table and the settings that this process was given. */
    public static Selector ofThisProcess() {
        Settings settings = Settings.ofThisProcess();
        return new Selector(new Algorithms() {
            @Override
            public List<Algorithm> of(Collective collective) {
                return Catalogue.of(collective);
            }
        }, TuningSource.load(settings), settings);
    }

    /** The algorithms for device memory. */
    public static Selector ofDevices() {
        return new Selector(new Algorithms() {
            @Override
            public List<? extends Algorithm> of(Collective collective) {
                return DeviceCatalogue.of(collective);
            }
        }, TuningTable.parse("the catalogue's order", ""), new Settings(new Properties(), Map.of()));
    }

    public TuningTable table() {
        return table;
    }

    /** All algorithms of a collective, whether they may run or not. */
    public List<? extends Algorithm> algorithms(Collective collective) {
        return algorithms.of(collective);
    }

    /**
     * The choices by size for one collective on a communicator of so many ranks. To be asked once per communicator and kept.
     *
     * @param commutative whether the operation commutes; true for collectives that do not reduce
     * @throws TuningException if a setting names no algorithm, or one that cannot serve these ranks or this operation
     */
    public Ladder ladder(Collective collective, int ranks, boolean commutative) {
        List<? extends Algorithm> all = algorithms.of(collective);
        Forced forced = Forced.of(collective, settings, all);
        long[] bounds = bounds(collective, ranks, all);
        long[] upTo = new long[bounds.length];
        Choice[] choices = new Choice[bounds.length];
        int steps = 0;
        for (long bound : bounds) {
            Choice choice = choose(collective, ranks, bound, commutative, all, forced);
            if (steps > 0 && same(choices[steps - 1], choice)) {
                upTo[steps - 1] = bound;
            } else {
                choices[steps] = choice;
                upTo[steps++] = bound;
            }
        }
        return new Ladder(Arrays.copyOf(upTo, steps), Arrays.copyOf(choices, steps));
    }

    private static boolean same(Choice a, Choice b) {
        return a.algorithm() == b.algorithm() && a.chunkBytes() == b.chunkBytes() && a.radix() == b.radix() && a.rule().equals(b.rule());
    }

    /** The upper ends of all stretches of sizes within which no rule and no restriction begins or ends, ascending. */
    private long[] bounds(Collective collective, int ranks, List<? extends Algorithm> all) {
        long[] bounds = new long[2 * table.rules().size() + all.size() + 1];
        int n = 0;
        bounds[n++] = Long.MAX_VALUE;
        for (TuningRule rule : table.rules()) {
            if (rule.collective() == collective && rule.serves(ranks)) {
                bounds[n++] = rule.maxBytes();
                if (rule.minBytes() > 0) {
                    bounds[n++] = rule.minBytes() - 1;
                }
            }
        }
        for (Algorithm algorithm : all) {
            bounds[n++] = algorithm.restrictions().maximumBytes();
        }
        return ascending(bounds, n);
    }

    /** The first n numbers sorted, each once. By insertion: there are few, and a JVM takes milliseconds to load its sort. */
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

    private Choice choose(Collective collective, int ranks, long bytes, boolean commutative, List<? extends Algorithm> all, Forced forced) {
        if (forced.algorithm() != null) {
            return forcedChoice(collective, ranks, bytes, commutative, all, forced);
        }
        for (TuningRule rule : table.rules()) {
            if (rule.collective() == collective && rule.matches(ranks, bytes)) {
                Algorithm algorithm = find(all, rule);
                if (algorithm.restrictions().violatedBy(ranks, bytes, commutative) == null) {
                    String measured = rule.measured().isEmpty() ? "" : ", measured " + rule.measured();
                    return choice(algorithm, rule.chunkBytes(), rule.radix(), forced,
                        "line " + rule.line() + " of " + table.source() + ": " + rule.conditions() + measured);
                }
            }
        }
        for (Algorithm algorithm : all) {
            if (algorithm.restrictions().violatedBy(ranks, bytes, commutative) == null) {
                return choice(algorithm, 0, 0, forced, "no rule of " + table.source() + " serves this: the catalogue's first that may run");
            }
        }
        throw new IllegalStateException("no algorithm serves " + collective.key() + " on " + ranks + " ranks");
    }

    /** A forced algorithm that these ranks or this operation exclude is an error at once; one that only some sizes exclude, at such a call. */
    private static Choice forcedChoice(Collective collective, int ranks, long bytes, boolean commutative, List<? extends Algorithm> all,
                                       Forced forced) {
        Algorithm algorithm = forced.algorithm();
        String violated = algorithm.restrictions().violatedBy(ranks, bytes, commutative);
        if (violated == null) {
            return choice(algorithm, 0, 0, forced, "forced by " + forced.origin());
        }
        String error = forced.origin() + " cannot be followed on " + ranks + (ranks == 1 ? " rank: " : " ranks: ") + algorithm.name() + " "
            + violated + "; force another of " + Forced.names(all) + ", or unset it to leave " + collective.key() + " to the tuning table";
        if (algorithm.restrictions().violatedBy(ranks, 0, commutative) != null) {
            throw new TuningException(error);
        }
        return new Choice(null, 0, 2, error);
    }

    private static Choice choice(Algorithm algorithm, long chunk, int radix, Forced forced, String rule) {
        boolean pipelined = algorithm instanceof ScheduledAlgorithm scheduled && scheduled.pipelined();
        boolean radixed = algorithm instanceof ScheduledAlgorithm scheduled && scheduled.radixed();
        long chunkBytes = forced.chunkBytes() > 0 ? forced.chunkBytes() : chunk > 0 ? chunk : DEFAULT_CHUNK;
        int branching = forced.radix() > 0 ? forced.radix() : radix > 0 ? radix : DEFAULT_RADIX;
        return new Choice(algorithm, pipelined ? chunkBytes : 0, radixed ? branching : 2, rule);
    }

    private Algorithm find(List<? extends Algorithm> all, TuningRule rule) {
        for (Algorithm algorithm : all) {
            if (algorithm.name().equals(rule.algorithm())) {
                return algorithm;
            }
        }
        throw new TuningException(table.source() + ", line " + rule.line() + ": " + rule.algorithm() + " is no algorithm of "
            + rule.collective().key() + "; there are: " + Forced.names(all));
    }
}

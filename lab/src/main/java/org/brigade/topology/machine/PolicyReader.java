package org.brigade.topology.machine;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.brigade.topology.figure.Dimension;
import org.brigade.topology.figure.FigureTable;
import org.brigade.topology.figure.Limit;
import org.brigade.topology.figure.MachineFormatException;
import org.brigade.topology.figure.Statement;
import org.brigade.topology.model.ComponentKind;
import org.brigade.topology.model.Distance;

/** Reads the lines of a machine file about transfers and their costs. */
final class PolicyReader {
    private static final int MOST_PATTERNS = 64;
    private static final int MOST_TIERS = 8;

    private final FigureTable figures;
    private final Map<Distance, Limit> peers = new EnumMap<>(Distance.class);
    private final Map<Distance, Limit> reads = new EnumMap<>(Distance.class);
    private final Map<Distance, Limit> writes = new EnumMap<>(Distance.class);
    private final Map<TransferKind, List<TransferCost>> costs = new EnumMap<>(TransferKind.class);
    private final Map<ComponentKind, LocalWork> local = new EnumMap<>(ComponentKind.class);
    private final List<CongestionPattern> patterns = new ArrayList<>();
    private SharedMemoryCosts memory;
    private boolean stageAtSender = true;
    private boolean staged;
    private int adapters = Integer.MAX_VALUE;

    PolicyReader(FigureTable figures) {
        this.figures = figures;
    }

    /** Reads a line if {@code first} begins such a line; returns whether it did. */
    boolean read(Statement statement, String first) {
        switch (first) {
            case "peer" -> limit(statement, peers, Distance.values());
            case "gpudirect" -> limit(statement, word(statement, "read", "write").equals("read") ? reads : writes,
                new Distance[] {Distance.SWITCH, Distance.CPU, Distance.NODE});
            case "stage" -> stage(statement);
            case "adapters" -> adapters(statement);
            case "transfer" -> transfer(statement);
            case "local" -> localWork(statement);
            case "shared-memory" -> sharedMemory(statement);
            case "congestion" -> congestion(statement);
            default -> {
                return false;
            }
        }
        statement.end();
        return true;
    }

    TransferPolicy policy() {
        return new TransferPolicy(peers, reads, writes, stageAtSender, adapters, costs, local, memory);
    }

    List<CongestionPattern> patterns() {
        return List.copyOf(patterns);
    }

    private static String word(Statement statement, String one, String other) {
        String word = statement.word(one + " or " + other);
        if (!word.equals(one) && !word.equals(other)) {
            throw statement.wrong(Statement.shown(word) + " stands where " + one + " or " + other + " should be",
                "write one of them");
        }
        return word;
    }

    /** The one of these that the next word names. */
    private static <T> T one(Statement statement, String what, T[] allowed, Function<T, String> name) {
        String word = statement.word("a " + what);
        List<String> words = new ArrayList<>();
        for (T candidate : allowed) {
            if (name.apply(candidate).equals(word)) {
                return candidate;
            }
            words.add(name.apply(candidate));
        }
        throw statement.wrong(Statement.shown(word) + " is no " + what, "write one of " + String.join(", ", words));
    }

    /** {@code DISTANCE free | each RATE | shared RATE}. */
    private void limit(Statement statement, Map<Distance, Limit> limits, Distance[] allowed) {
        Distance distance = one(statement, "distance", allowed, Distance::word);
        Limit limit;
        if (statement.take("free")) {
            limit = Limit.FREE;
        } else {
            String how = word(statement, "each", "shared");
            limit = new Limit(figures.use(statement, Dimension.RATE), how.equals("shared"));
        }
        if (limits.putIfAbsent(distance, limit) != null) {
            throw statement.wrong("there is a line for " + distance.word() + " already", "remove one of them");
        }
    }

    private void stage(Statement statement) {
        if (staged) {
            throw statement.wrong("there is a line for stage already", "remove one of them");
        }
        staged = true;
        stageAtSender = word(statement, "sender", "receiver").equals("sender");
    }

    private void adapters(Statement statement) {
        if (adapters != Integer.MAX_VALUE) {
            throw statement.wrong("there is a line for adapters already", "remove one of them");
        }
        adapters = figures.count(statement);
    }

    /** {@code KIND [up-to SIZE] startup TIME latency TIME [most RATE]}. */
    private void transfer(Statement statement) {
        TransferKind kind = one(statement, "kind of transfer", TransferKind.values(), TransferKind::word);
        String word = kind.word();
        List<TransferCost> tiers = costs.computeIfAbsent(kind, key -> new ArrayList<>());
        if (tiers.size() == MOST_TIERS) {
            throw statement.wrong("more than " + MOST_TIERS + " lines for " + word, "use fewer");
        }
        long upTo = statement.take("up-to") ? (long) figures.use(statement, Dimension.SIZE) : Long.MAX_VALUE;
        if (!tiers.isEmpty() && tiers.get(tiers.size() - 1).upTo() >= upTo) {
            throw statement.wrong("the line before for " + word + " holds for these sizes already",
                "order the lines by their \"up-to\", the one without it last");
        }
        statement.expect("startup");
        double startup = figures.use(statement, Dimension.TIME);
        statement.expect("latency");
        double latency = figures.use(statement, Dimension.TIME);
        double most = statement.take("most") ? figures.use(statement, Dimension.RATE) : Double.POSITIVE_INFINITY;
        tiers.add(new TransferCost(upTo, startup, latency, most));
    }

    private void localWork(Statement statement) {
        ComponentKind kind = word(statement, "gpu", "core").equals("gpu") ? ComponentKind.GPU : ComponentKind.CORE;
        statement.expect("copy");
        double copyRate = figures.use(statement, Dimension.RATE);
        statement.expect("startup");
        double copyStartup = figures.use(statement, Dimension.TIME);
        statement.expect("reduce");
        double reduceRate = figures.use(statement, Dimension.RATE);
        statement.expect("startup");
        double reduceStartup = figures.use(statement, Dimension.TIME);
        if (local.putIfAbsent(kind, new LocalWork(copyRate, copyStartup, reduceRate, reduceStartup)) != null) {
            throw statement.wrong("there is a line for local " + kind.word() + " already", "remove one of them");
        }
    }

    /**
     * {@code entry TIME operation TIME kernel TIME}, or {@code [up-to SIZE] own RATE fetch RATE store RATE reduce RATE
     * read RATE [together RATE]}, after that.
     */
    private void sharedMemory(Statement statement) {
        if (statement.take("entry")) {
            double entry = figures.use(statement, Dimension.TIME);
            double operation = time(statement, "operation");
            double kernel = time(statement, "kernel");
            if (memory != null) {
                throw statement.wrong("there is a line for shared-memory entry already", "remove one of them");
            }
            memory = new SharedMemoryCosts(entry, operation, kernel, List.of());
            return;
        }
        if (memory == null) {
            throw statement.wrong("rates of shared memory before its times",
                "put a line \"shared-memory entry TIME operation TIME kernel TIME\" before");
        }
        List<SharedMemoryCosts.Rates> rates = new ArrayList<>(memory.rates());
        long upTo = statement.take("up-to") ? (long) figures.use(statement, Dimension.SIZE) : Long.MAX_VALUE;
        if (rates.size() == MOST_TIERS || !rates.isEmpty() && rates.get(rates.size() - 1).upTo() >= upTo) {
            throw statement.wrong(
                "more than " + MOST_TIERS + " lines, or the line before holds for these sizes already",
                "order the lines by their \"up-to\", the one without it last");
        }
        rates.add(new SharedMemoryCosts.Rates(upTo, rate(statement, "own"), rate(statement, "fetch"),
            rate(statement, "store"), rate(statement, "reduce"), rate(statement, "read"),
            statement.take("together") ? figures.use(statement, Dimension.RATE) : Double.POSITIVE_INFINITY));
        memory = new SharedMemoryCosts(memory.entry(), memory.operation(), memory.kernel(), rates);
    }

    private double time(Statement statement, String word) {
        statement.expect(word);
        return figures.use(statement, Dimension.TIME);
    }

    private double rate(Statement statement, String word) {
        statement.expect(word);
        return figures.use(statement, Dimension.RATE);
    }

    private void congestion(Statement statement) {
        if (patterns.size() == MOST_PATTERNS) {
            throw statement.wrong("more than " + MOST_PATTERNS + " congestion patterns", "remove some");
        }
        String kind = word(statement, "own-read-far-write", "crowded-memory");
        int most = 0;
        if (kind.equals("crowded-memory")) {
            statement.expect("above");
            most = figures.count(statement);
        }
        double factor = figures.use(statement, Dimension.RATIO);
        if (factor > 1) {
            throw statement.wrong("congestion that makes transfers " + factor + " times as fast",
                "name a ratio of at most 1");
        }
        patterns.add(kind.equals("crowded-memory") ? new CrowdedMemory(most, factor) : new OwnReadFarWrite(factor));
    }

    /** After the last line: checks that these kinds of places have all they need. */
    void check(String file, int lastLine, boolean gpus, boolean cores, boolean network) {
        require(file, lastLine, gpus || cores, TransferKind.HOST);
        require(file, lastLine, network, TransferKind.HOST_NET);
        require(file, lastLine, gpus && !peers.isEmpty(), TransferKind.PEER);
        require(file, lastLine, gpus, TransferKind.STAGED);
        require(file, lastLine, gpus && network && !reads.isEmpty() && !writes.isEmpty(), TransferKind.DEVICE_NET);
        require(file, lastLine, gpus && network, TransferKind.DEVICE_NET_STAGED);
        for (Map.Entry<TransferKind, List<TransferCost>> entry : costs.entrySet()) {
            List<TransferCost> tiers = entry.getValue();
            if (tiers.get(tiers.size() - 1).upTo() != Long.MAX_VALUE) {
                throw new MachineFormatException(file, lastLine,
                    "transfers of kind " + entry.getKey().word() + " have no cost above "
                        + tiers.get(tiers.size() - 1).upTo() + " B",
                    "add a line for them without \"up-to\"");
            }
        }
        if (memory != null && (memory.rates().isEmpty()
            || memory.rates().get(memory.rates().size() - 1).upTo() != Long.MAX_VALUE)) {
            throw new MachineFormatException(file, lastLine, "shared memory has no rates for the longest calls",
                "add a line shared-memory without \"up-to\"");
        }
        requireLocal(file, lastLine, gpus, ComponentKind.GPU);
        requireLocal(file, lastLine, true, ComponentKind.CORE);
    }

    private void require(String file, int lastLine, boolean needed, TransferKind kind) {
        if (needed && !costs.containsKey(kind)) {
            throw new MachineFormatException(file, lastLine,
                "what a transfer of kind " + kind.word() + " costs is not said",
                "add \"transfer " + kind.word() + " startup FIGURE latency FIGURE\"");
        }
    }

    private void requireLocal(String file, int lastLine, boolean needed, ComponentKind kind) {
        if (needed && !local.containsKey(kind)) {
            throw new MachineFormatException(file, lastLine,
                "what a " + kind.word() + " needs to copy and reduce is not said",
                "add \"local " + kind.word() + " copy FIGURE startup FIGURE reduce FIGURE startup FIGURE\"");
        }
    }
}

package org.brigade.cli.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.cli.bench.BenchCalls;
import org.brigade.cli.bench.BenchOperation;
import org.brigade.cli.bench.DeviceBenchRank;
import org.brigade.cli.bench.FreshBuffers;
import org.brigade.cli.bench.timing.Timing;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.select.ByteSize;
import org.brigade.select.MemorySpace;
import org.brigade.select.Settings;

/**
 * The algorithms of one collective against the default, the one that the jar's table chooses. At each size all of them
 * run once beside the default. The fastest then run in alternated turns with the default, and the best of them once
 * more. Only what is clearly faster both times wins. Buffers are fresh in each call, as in {@code brigade bench
 * --fresh}. All ranks use the slowest rank's times, so all try the same.
 */
final class Contest {
    private static final long WARM_NANOS = 300_000_000;
    /** Parts of a size's time: looking at all ways, turns of the fastest, turns of the best. */
    private static final double LOOK = 0.4;
    private static final double TURNS = 0.35;
    private static final double AGAIN = 0.25;
    /** With less time for a size nothing is measured, and the default stays. */
    private static final double LEAST_CELL = 2e7;
    private static final int FINALISTS = 3;
    private static final int LEAST_TIMED = 3;
    private static final int MOST_TIMED = 300;
    /** A way that is so many times slower than the default in its first calls is not looked at any longer. */
    private static final int HOPELESS = 6;
    /** Calls that take longer are network's or memory's time, and differ little: one each tells enough. */
    private static final double LONG_CALL = 2e7;
    /** More time than this tells nothing more of short calls. */
    private static final double ENOUGH = 2e9;
    /** An algorithm that took so many times as long as the fastest for the size before is not tried for a long call. */
    private static final double BEHIND = 2.5;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int ranks = world.getSize();
    private final Timing timing = new Timing(world);
    private final BenchOperation operation;
    private final Collective collective;
    private final FreshBuffers buffers;
    private final Ways ways;
    private final Consumer<String> lines;
    /** The times of the size before, by algorithm. */
    private final Map<String, Double> before = new HashMap<>();

    /** All that may serve calls of a collective. */
    interface Ways {
        List<TunedWay> of(Collective collective, int ranks, long bytes);
    }

    /** A way that is ready to run. */
    private static final class Entrant {
        /** Null: the default. */
        final TunedWay way;
        final Intracomm comm;
        final BenchCalls calls;
        /** Nanoseconds of a call with all that happens around it. */
        double around;
        double time;
        Turns turns;

        Entrant(TunedWay way, Intracomm comm, BenchCalls calls) {
            this.way = way;
            this.comm = comm;
            this.calls = calls;
        }
    }

    Contest(BenchOperation operation, FreshBuffers buffers, Ways ways, Consumer<String> lines)
        throws MPIException {
        this.operation = operation;
        this.collective = operation.collective();
        this.buffers = buffers;
        this.ways = ways;
        this.lines = lines;
    }

    /**
     * What wins at one size.
     *
     * @param nanos how long to measure
     * @param first whether the JVM is still cold for this collective
     */
    TunedRules.Winner at(long size, double nanos, boolean first) throws MPIException {
        int bytes = collective == Collective.BARRIER ? 0 : (int) DeviceBenchRank.block(operation, size, ranks);
        long counted = collective == Collective.ALLGATHERV ? (long) bytes * ranks : bytes;
        if (nanos < LEAST_CELL) {
            tell(size, "the default stays, as the time is over (--time)");
            return new TunedRules.Winner(counted, null, 1);
        }
        List<Entrant> entrants = new ArrayList<>();
        try {
            Entrant standard = enter(null, bytes);
            entrants.add(standard);
            TunedWay usual = TunedWay.of(Diagnostics.lastChoice());
            timing.warmUp(standard.calls::call, 1, first ? WARM_NANOS : 0);
            List<TunedWay> others = ways.of(collective, ranks, counted);
            others.remove(usual);
            double each = LOOK * Math.min(nanos, ENOUGH) / (others.size() + 1);
            look(standard, each, Double.POSITIVE_INFINITY);
            boolean lasting = standard.around >= LONG_CALL;
            nanos = lasting ? nanos : Math.min(nanos, ENOUGH);
            int untried = lasting ? others.size() - keepPromising(others) : 0;
            double end = System.nanoTime() + LOOK * nanos;
            for (TunedWay way : others) {
                if (lasting && timing.slowest(System.nanoTime() > end ? 1 : 0) > 0) {
                    untried++;
                    continue;
                }
                Entrant entrant = enter(way, bytes);
                entrants.add(entrant);
                if (Diagnostics.lastAlgorithm().equals(way.algorithm())) {
                    look(entrant, each, HOPELESS * standard.around);
                } else {
                    entrant.time = Double.POSITIVE_INFINITY; // it does not serve such blocks
                }
            }
            remember(entrants, usual);
            Entrant best = best(standard, entrants, nanos);
            tell(size, (best == null ? usual.words() + " stays" : String.format(Locale.ROOT,
                "%s takes %.2f of the time of %s", best.way.words(), best.turns.median(), usual.words()))
                + (untried == 0 ? ""
                    : "; " + untried + " ways not tried, as they were slow before or the time was over"));
            return new TunedRules.Winner(counted, best == null ? null : best.way,
                best == null ? 1 : best.turns.median());
        } finally {
            for (Entrant entrant : entrants) {
                entrant.comm.free();
            }
        }
    }

    /** Those that were fast for the size before first, and without those that were slow. @return how many are left */
    private int keepPromising(List<TunedWay> others) {
        double least = before.values().stream().mapToDouble(Double::doubleValue).min().orElse(Double.POSITIVE_INFINITY);
        others.removeIf(way -> before.getOrDefault(way.algorithm(), least) > BEHIND * least);
        others.sort(Comparator.comparingDouble(way -> before.getOrDefault(way.algorithm(), least)));
        return others.size();
    }

    private void remember(List<Entrant> entrants, TunedWay usual) {
        before.clear();
        for (Entrant entrant : entrants) {
            before.merge((entrant.way == null ? usual : entrant.way).algorithm(), entrant.time, Math::min);
        }
    }

    /** The clear winner over the default; null if there is none. */
    private Entrant best(Entrant standard, List<Entrant> entrants, double nanos) throws MPIException {
        List<Entrant> finalists = new ArrayList<>(entrants.subList(1, entrants.size()));
        finalists.removeIf(entrant -> entrant.time >= standard.time);
        finalists.sort(Comparator.comparingDouble(entrant -> entrant.time));
        finalists = finalists.subList(0, Math.min(FINALISTS, finalists.size()));
        turns(standard, finalists, TURNS * nanos);
        Entrant best = null;
        for (Entrant finalist : finalists) {
            if (finalist.turns.win() && (best == null || finalist.turns.median() < best.turns.median())) {
                best = finalist;
            }
        }
        if (best == null) {
            return null;
        }
        // The best of several had luck, too.
        turns(standard, List.of(best), AGAIN * nanos);
        return best.turns.win() ? best : null;
    }

    /** The default and the finalists, one after the other, again and again. */
    private void turns(Entrant standard, List<Entrant> finalists, double nanos) throws MPIException {
        List<Entrant> all = new ArrayList<>(finalists);
        all.add(0, standard);
        int count = standard.around < LONG_CALL ? Turns.COUNT : Turns.COUNT_OF_LONG;
        finalists.forEach(finalist -> finalist.turns = new Turns(count));
        for (int turn = 0; turn < count && !finalists.isEmpty(); turn++) {
            for (int i = 0; i < all.size(); i++) {
                Entrant entrant = all.get((i + turn) % all.size());
                entrant.time = median(entrant, nanos / count / all.size());
            }
            for (Entrant finalist : finalists) {
                finalist.turns.set(turn, finalist.time, standard.time);
            }
        }
    }

    /** The first calls of a way. */
    private void look(Entrant entrant, double nanos, double longest) throws MPIException {
        entrant.around = timing.warmUp(() -> entrant.calls.each(1), 1, 0);
        if (entrant.around < LONG_CALL) {
            entrant.around = timing.warmUp(() -> entrant.calls.each(1), LEAST_TIMED, 0);
            entrant.around = Math.min(entrant.around, timing.warmUp(() -> entrant.calls.each(1), LEAST_TIMED, 0));
        }
        entrant.time = entrant.around > longest ? Double.POSITIVE_INFINITY
            : entrant.around < LONG_CALL ? median(entrant, nanos) : entrant.around;
    }

    /** The slowest rank's median over as many calls as fit. */
    private double median(Entrant entrant, double nanos) throws MPIException {
        double[] times = entrant.calls.each(Timing.calls(nanos, entrant.around,
            entrant.around < LONG_CALL ? LEAST_TIMED : 1, MOST_TIMED));
        return timing.slowest(Timing.median(times));
    }

    /** A way on a communicator of its own, which has chosen its algorithm for calls of this size. */
    private Entrant enter(TunedWay way, int bytes) throws MPIException {
        set("algorithm", way == null ? null : way.algorithm());
        set("chunk", way == null || way.chunk() == 0 ? null : Long.toString(way.chunk()));
        set("radix", way == null || way.radix() == 0 ? null : Integer.toString(way.radix()));
        try {
            Intracomm comm = world.dup();
            BenchCalls calls = new BenchCalls(comm, operation, buffers, bytes, timing);
            calls.call();
            return new Entrant(way, comm, calls);
        } finally {
            set("algorithm", null);
            set("chunk", null);
            set("radix", null);
        }
    }

    private void set(String what, String value) {
        String setting = Settings.property(MemorySpace.HOST.key(collective, what));
        if (value == null) {
            System.clearProperty(setting);
        } else {
            System.setProperty(setting, value);
        }
    }

    private void tell(long size, String what) {
        lines.accept(operation.key() + (collective == Collective.BARRIER ? "" : " " + ByteSize.compact(size)) + ": "
            + what);
    }
}

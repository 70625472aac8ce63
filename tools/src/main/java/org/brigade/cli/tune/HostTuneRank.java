package org.brigade.cli.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.spi.Collective;
import org.brigade.cli.bench.BenchCalls;
import org.brigade.cli.bench.BenchOperation;
import org.brigade.cli.bench.DeviceBenchRank;
import org.brigade.cli.bench.FreshBuffers;
import org.brigade.cli.bench.Timing;
import org.brigade.cli.bench.report.MachineFacts;
import org.brigade.cli.shared.SizeList;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.pattern.Wires;
import org.brigade.algorithm.Placement;
import org.brigade.select.ByteSize;
import org.brigade.select.Ladder;
import org.brigade.select.Selector;
import org.brigade.select.Settings;
import org.brigade.select.Space;
import org.brigade.topology.system.HostShape;

/**
 * What every rank of {@code brigade tune --space host} runs. At each size all algorithms run once beside the default,
 * the one that the jar's table chooses. The fastest then run in alternated turns with the default, and the best of them
 * once more. A rule is made only of what is clearly faster both times. Buffers are fresh in each call, as in
 * {@code brigade bench --fresh}. All ranks use the slowest rank's times, so all try the same.
 */
public final class HostTuneRank {
    private static final long WARM_NANOS = 300_000_000;
    private static final double LONGEST_CELL = 2e9;
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

    private final Intracomm world = MPI.COMM_WORLD;
    private final int ranks = world.getSize();
    private final Timing timing = new Timing(world);
    private final BenchOperation operation;
    private final Collective collective;
    private final FreshBuffers buffers;
    private final boolean bound;

    /** A way that is ready to run. */
    private static final class Entrant {
        /** Null: the default. */
        final TunedWay way;
        final Intracomm comm;
        final BenchCalls calls;
        /** Nanoseconds of a call with all that happens around it. */
        double around;
        double time;
        Turns turns = new Turns();

        Entrant(TunedWay way, Intracomm comm, BenchCalls calls) {
            this.way = way;
            this.comm = comm;
            this.calls = calls;
        }
    }

    private HostTuneRank(BenchOperation operation, FreshBuffers buffers, boolean bound) throws MPIException {
        this.operation = operation;
        this.collective = operation.collective();
        this.buffers = buffers;
        this.bound = bound;
    }

    /** Arguments: collectives, sizes, seconds. */
    public static void main(String[] arguments) throws MPIException {
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int ranks = world.getSize();
        long[] all = SizeList.parse(arguments[1]).stream().mapToLong(Long::longValue).sorted().toArray();
        String[] names = arguments[0].split(",");
        Timing timing = new Timing(world);
        // These calls choose their algorithms now, before others are forced.
        world.barrier();
        boolean bound = timing.slowest(
            Runtime.getRuntime().availableProcessors() < HostShape.here().processors() ? 1 : 0) > 0;
        int cells = 0;
        for (String name : names) {
            cells += sizes(name, all).length;
        }
        long end = System.nanoTime() + (long) (1e9 * Double.parseDouble(arguments[2]));
        int done = 0;
        for (String name : names) {
            BenchOperation operation = BenchOperation.of(name);
            long[] sizes = sizes(name, all);
            long most = DeviceBenchRank.block(operation, sizes[sizes.length - 1], ranks);
            HostTuneRank tune = new HostTuneRank(operation, FreshBuffers.direct(operation.sendBytes(most, ranks),
                operation.recvBytes(most, ranks), MachineFacts.here().freshBytes(ranks)), bound);
            List<TunedRules.Winner> winners = new ArrayList<>();
            for (long size : sizes) {
                double left = (double) (end - System.nanoTime()) / (cells - done);
                double nanos = timing.slowest(world.getRank() == 0 ? Math.max(0, Math.min(LONGEST_CELL, left)) : 0);
                winners.add(tune.tune(size, nanos, size == sizes[0]));
                done++;
                if (world.getRank() == 0) {
                    System.out.println("progress " + done + " " + cells);
                }
            }
            if (world.getRank() == 0) {
                TunedRules.of(operation.collective(), ranks, winners)
                    .forEach(rule -> System.out.println(HostTuning.RULE + rule));
            }
        }
        MPI.Finalize();
    }

    private static long[] sizes(String name, long[] all) {
        return BenchOperation.of(name).collective() == Collective.BARRIER ? new long[1] : all;
    }

    /** @throws IllegalArgumentException if the collective has no choice of algorithms here */
    static void check(String name) {
        if (!name.equals(Collective.BARRIER.key())) {
            TuneRank.collective(name);
        }
    }

    private TunedRules.Winner tune(long size, double nanos, boolean first) throws MPIException {
        int bytes = collective == Collective.BARRIER ? 0 : (int) DeviceBenchRank.block(operation, size, ranks);
        long counted = collective == Collective.ALLGATHERV ? (long) bytes * ranks : bytes;
        Ladder ladder = Selector.ofThisProcess().ladder(collective, ranks, true, Placement.ALIGNED, Wires.NONE);
        TunedWay usual = TunedWay.of(ladder.choice(ladder.step(counted)));
        if (nanos < LEAST_CELL) {
            tell(size, usual.words() + " stays, as the time is over (--time)");
            return new TunedRules.Winner(counted, null, 1);
        }
        List<Entrant> entrants = new ArrayList<>();
        try {
            Entrant standard = enter(null, bytes);
            entrants.add(standard);
            timing.warmUp(standard.calls::call, 1, first ? WARM_NANOS : 0);
            List<TunedWay> ways = TunedWay.all(collective, ranks, counted, bound);
            ways.remove(usual);
            double each = LOOK * nanos / (ways.size() + 1);
            look(standard, each, Double.POSITIVE_INFINITY);
            for (TunedWay way : ways) {
                Entrant entrant = enter(way, bytes);
                entrants.add(entrant);
                if (Diagnostics.lastAlgorithm().equals(way.algorithm())) {
                    look(entrant, each, HOPELESS * standard.around);
                } else {
                    entrant.time = Double.POSITIVE_INFINITY; // it does not serve such blocks
                }
            }
            Entrant best = best(standard, entrants, nanos);
            tell(size, best == null ? usual.words() + " stays" : String.format(Locale.ROOT,
                "%s takes %.2f of the time of %s", best.way.words(), best.turns.median(), usual.words()));
            return new TunedRules.Winner(counted, best == null ? null : best.way,
                best == null ? 1 : best.turns.median());
        } finally {
            for (Entrant entrant : entrants) {
                entrant.comm.free();
            }
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
        best.turns = new Turns(); // the best of several had luck, too
        turns(standard, List.of(best), AGAIN * nanos);
        return best.turns.win() ? best : null;
    }

    /** The default and the finalists, one after the other, again and again. */
    private void turns(Entrant standard, List<Entrant> finalists, double nanos) throws MPIException {
        List<Entrant> all = new ArrayList<>(finalists);
        all.add(0, standard);
        for (int turn = 0; turn < Turns.COUNT && !finalists.isEmpty(); turn++) {
            for (int i = 0; i < all.size(); i++) {
                Entrant entrant = all.get((i + turn) % all.size());
                entrant.time = median(entrant, nanos / Turns.COUNT / all.size());
            }
            for (Entrant finalist : finalists) {
                finalist.turns.set(turn, finalist.time, standard.time);
            }
        }
    }

    /** The first calls of a way. */
    private void look(Entrant entrant, double nanos, double longest) throws MPIException {
        entrant.around = timing.warmUp(() -> entrant.calls.each(1), LEAST_TIMED, 0);
        entrant.around = Math.min(entrant.around, timing.warmUp(() -> entrant.calls.each(1), LEAST_TIMED, 0));
        entrant.time = entrant.around > longest ? Double.POSITIVE_INFINITY : median(entrant, nanos);
    }

    /** The slowest rank's median over as many calls as fit. */
    private double median(Entrant entrant, double nanos) throws MPIException {
        double[] times = entrant.calls.each(Timing.calls(nanos, entrant.around, LEAST_TIMED, MOST_TIMED));
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
        String setting = Settings.property(Space.HOST.key(collective, what));
        if (value == null) {
            System.clearProperty(setting);
        } else {
            System.setProperty(setting, value);
        }
    }

    private void tell(long size, String what) {
        if (world.getRank() == 0) {
            System.out.println(operation.key()
                + (collective == Collective.BARRIER ? "" : " " + ByteSize.compact(size)) + ": " + what);
        }
    }
}

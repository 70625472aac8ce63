package org.brigade.verify.straight;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.verify.VerifySuite;
import org.brigade.verify.Wrong;

/**
 * Verifies straight-line code: runs it for all ranks on symbolic memory, in many orders of the ranks' operations. Each
 * run makes many calls in a row: all roots (a few beyond 9 ranks), in place and not, lengths of no byte to several
 * windows. For 2 and 3 ranks two calls also run in every order, or in the first {@value #MOST_ORDERS}.
 */
public final class StraightSuite {
    private static final int MOST_ORDERS = 400;
    /** Numbers of ranks, and in how many random orders the runs of up to so many go. */
    private static final int[][] SEEDS = {{3, 12}, {9, 4}, {Integer.MAX_VALUE, 2}};
    /** Beyond it the code has no new cases, and runs take long. */
    private static final int MOST_RANKS = 64;

    /**
     * A fault of straight-line code.
     *
     * @param text the calls, the order and the fault
     */
    public record Failure(Algorithm algorithm, int ranks, String text) {
        @Override
        public String toString() {
            return algorithm + ", " + text;
        }
    }

    /** The result. */
    public record Report(long verified, List<Failure> failures) {
        /** The last line of a report. */
        public String summary() {
            return verified + " runs of straight-line code verified, " + failures.size() + " failed";
        }
    }

    private record Part(Algorithm algorithm, int ranks) {
    }

    private final List<Part> parts = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private long verified;
    private int done;

    /**
     * @param collective the only collective to verify, or null
     * @param algorithm the name of the only algorithm to verify, or null
     */
    public StraightSuite(int fromRanks, int toRanks, Collective collective, String algorithm) {
        for (int ranks = Math.min(toRanks, MOST_RANKS); ranks >= Math.max(2, fromRanks); ranks--) {
            for (Algorithm entry : collective == null ? Catalogue.all() : Catalogue.of(collective)) {
                if (isVerified(entry) && (algorithm == null || algorithm.equals(entry.name()))
                    && entry.restrictions().violatedBy(ranks, 0, true) == null) {
                    parts.add(new Part(entry, ranks));
                }
            }
        }
    }

    /** Whether an algorithm is straight-line code that the verifier runs. */
    public static boolean isVerified(Algorithm algorithm) {
        return StraightRank.runs(algorithm);
    }

    /** Algorithms, each with a number of ranks. */
    public int parts() {
        return parts.size();
    }

    /** Runs on as many threads as there are processors. */
    public Report run(VerifySuite.Progress progress) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Part part : parts) {
                running.add(pool.submit(() -> verify(part, progress)));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the verifier itself failed", e.getCause());
        } finally {
            pool.shutdownNow();
        }
        return new Report(verified, List.copyOf(failures));
    }

    private void verify(Part part, VerifySuite.Progress progress) {
        long good = 0;
        Failure bad = null;
        for (StraightRun run : SampleRuns.of(part.algorithm, part.ranks)) {
            for (int seed = 0; seed < seeds(part.ranks) && bad == null; seed++) {
                String fault = faultOf(run, Orders.random(seed));
                if (fault == null) {
                    good++;
                } else {
                    bad = new Failure(part.algorithm, part.ranks, run + ", order " + seed + ": " + fault);
                }
            }
        }
        if (part.ranks <= SEEDS[0][0] && bad == null) {
            StraightRun run = SampleRuns.brief(part.algorithm, part.ranks);
            Orders.All all = new Orders.All();
            int number = 0;
            do {
                String fault = faultOf(run, all);
                if (fault == null) {
                    good++;
                } else {
                    bad = new Failure(part.algorithm, part.ranks,
                        run + ", the " + number + "th of all orders: " + fault);
                }
            } while (++number < MOST_ORDERS && bad == null && all.next());
        }
        synchronized (this) {
            verified += good;
            if (bad != null) {
                failures.add(bad);
            }
            done++;
            if (progress != null) {
                progress.advanced(done, parts.size(), part.algorithm + ", " + part.ranks + " ranks");
            }
        }
    }

    private static int seeds(int ranks) {
        int row = 0;
        while (ranks > SEEDS[row][0]) {
            row++;
        }
        return SEEDS[row][1];
    }

    /** The fault of a run in words, or null. */
    static String faultOf(StraightRun run, Interleaving.Order order) {
        return faultOf(run, order, StraightRun.NO_FAULTS);
    }

    static String faultOf(StraightRun run, Interleaving.Order order, StraightRun.Faults faults) {
        try {
            run.run(order, faults, null);
            return null;
        } catch (Wrong wrong) {
            return wrong.getMessage();
        }
    }
}

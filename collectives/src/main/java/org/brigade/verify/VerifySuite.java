package org.brigade.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Neighbourhoods;
import org.brigade.schedule.Aliasing;
import org.brigade.schedule.Geometry;

/**
 * Verifies all or part of the catalogue: every algorithm for every number of ranks of a range, with all roots (a few
 * beyond 9 ranks), in place and not, for radixes 2, 3, 4 and 8. Algorithms that follow wires are also verified with
 * many kinds of wires, with two roots and radixes; those that keep rank order for some operations only, with both kinds
 * of operations. Collectives among neighbours are verified on many grids and graphs. The schedules of all ranks count
 * as one; block sizes, windows and channel capacities do not count.
 */
public final class VerifySuite {
    private static final int ALL_ROOTS = 9;
    private static final int[] RADIXES = {2, 3, 4, 8};
    private static final int FEW_RADIXES = 3;

    /** Called after each algorithm and number of ranks, from any thread, one call at a time. */
    public interface Progress {
        /**
         * @param done parts done, of {@code parts}
         * @param label the part that has just ended: {@code allreduce/ring, 5 ranks}
         */
        void advanced(int done, int parts, String label);
    }

    /** The result. */
    public record Report(long verified, List<Failure> failures) {
        /** The last line of a report. */
        public String summary() {
            return verified + " schedules verified, " + failures.size() + " failed";
        }
    }

    private record Part(ScheduledAlgorithm algorithm, int ranks) {
        @Override
        public String toString() {
            return algorithm.collective().key() + "/" + algorithm.name() + ", " + ranks + " ranks";
        }
    }

    private final List<Part> parts = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private long verified;
    private int done;

    /**
     * @param collective the only collective to verify, or null
     * @param algorithm the name of the only algorithm to verify, or null
     */
    public VerifySuite(int fromRanks, int toRanks, Collective collective, String algorithm) {
        for (int ranks = toRanks; ranks >= fromRanks; ranks--) {
            for (Algorithm entry : collective == null ? Catalogue.all() : Catalogue.of(collective)) {
                if (entry == entry.schedule() && (algorithm == null || algorithm.equals(entry.name()))
                    && serves(entry, ranks)) {
                    parts.add(new Part(entry.schedule(), ranks));
                }
            }
        }
    }

    private static boolean serves(Algorithm algorithm, int ranks) {
        return algorithm.restrictions().violatedBy(ranks, 0, true) == null;
    }

    /** Algorithms, each with a number of ranks. */
    public int parts() {
        return parts.size();
    }

    /** Runs on as many threads as there are processors. */
    public Report run(Progress progress) throws InterruptedException {
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

    private void verify(Part part, Progress progress) {
        long good = 0;
        List<Failure> bad = new ArrayList<>();
        for (Geometry geometry : geometries(part)) {
            Optional<Failure> failure = Verifier.verify(part.algorithm, geometry);
            if (failure.isPresent()) {
                bad.add(failure.get());
            } else {
                good++;
            }
        }
        synchronized (this) {
            verified += good;
            failures.addAll(bad);
            done++;
            if (progress != null) {
                progress.advanced(done, parts.size(), part.toString());
            }
        }
    }

    private static List<Geometry> geometries(Part part) {
        List<Geometry> all = new ArrayList<>();
        if (part.algorithm.collective().amongNeighbours()) {
            for (Neighbourhoods neighbours : SampleTopologies.of(part.ranks)) {
                all.add(new Geometry(part.algorithm.collective(), part.ranks, 0, 0, false, 2, CommunicatorTopology.NONE,
                    neighbours,
                    true));
            }
            return all;
        }
        boolean aliases = Aliasing.happens(part.algorithm.collective());
        List<CommunicatorTopology> shapes = WireShapes.of(part.algorithm.wireUse(), part.ranks);
        for (int shape = 0; shape < shapes.size(); shape++) {
            for (int root : roots(part, shape > 0)) {
                for (int radix : RADIXES) {
                    if (radix > 2
                        && (!part.algorithm.radixed() || radix > 2 * part.ranks || shape > 0 && radix > FEW_RADIXES)) {
                        break;
                    }
                    for (int inPlace = 0; inPlace < (aliases ? 2 : 1); inPlace++) {
                        // With wires in turn, as neither depends on the other.
                        if (shape == 0 || !aliases || inPlace == (shape + radix) % 2) {
                            Geometry commuting = new Geometry(part.algorithm.collective(), part.ranks, root, root,
                                inPlace == 1, radix, shapes.get(shape));
                            all.add(commuting);
                            if (Verifier.ordersBoth(part.algorithm)) {
                                all.add(commuting.ordered());
                            }
                        }
                    }
                }
            }
        }
        return all;
    }

    private static int[] roots(Part part, boolean few) {
        int ranks = part.ranks;
        if (!part.algorithm.collective().rooted) {
            return new int[] {0};
        }
        if (few) {
            return new int[] {ranks / 2, ranks - 1};
        }
        if (ranks > ALL_ROOTS) {
            return new int[] {0, 1, ranks / 2, ranks - 1};
        }
        int[] roots = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            roots[i] = i;
        }
        return roots;
    }
}

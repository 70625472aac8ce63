package org.brigade.verify.straight;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import mpi.spi.Collective;
import mpi.spi.Counts;
import mpi.spi.Extent;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.CopyInCopyOutAlgorithm;
import org.brigade.algorithm.MovementAvoidingAlgorithm;
import org.brigade.algorithm.PartitionedAlgorithm;
import org.brigade.algorithm.SharedBufferAlgorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.schedule.Aliasing;
import org.brigade.verify.SampleCall;

/** Runs that reach all cases of an algorithm's code: buffers are short, so that windows and slots come round. */
final class SampleRuns {
    private static final int ALL_ROOTS = 9;
    private static final int LINE = 64;
    private static final int KIB = 1 << 10;
    /** A piece of a long broadcast; it keeps 8 of them in the buffer. */
    private static final int LONG_PIECE = 64 * KIB;
    private static final int PIECES = 8;

    private SampleRuns() {
    }

    /** The runs of an algorithm for a number of ranks. */
    static List<StraightRun> of(Algorithm algorithm, int ranks) {
        List<StraightRun> runs = new ArrayList<>();
        boolean shared = algorithm instanceof SharedBufferAlgorithm;
        int item = algorithm.collective().reduces ? 4 : 1;
        List<StraightCall> calls = calls(algorithm, ranks, item, counts(algorithm, ranks));
        boolean commutative = algorithm.restrictions().commutative();
        if (algorithm instanceof CopyInCopyOutAlgorithm && algorithm.collective() == Collective.BCAST) {
            runs.add(new StraightRun(ranks, calls, 1, PIECES * LONG_PIECE, false, "never", calls.size() / 2));
            if (ranks <= ALL_ROOTS) {
                int lines = (PIECES + 3) * LONG_PIECE / LINE - 1;
                runs.add(new StraightRun(ranks, calls(algorithm, Math.min(ranks, 2), ranks, LINE, lines, lines), LINE,
                    PIECES * LONG_PIECE, false, "measured", -1));
            }
            return runs;
        }
        runs.add(new StraightRun(ranks, calls, item, halfBytes(algorithm, ranks), commutative, "never",
            shared ? calls.size() / 2 : -1));
        if (shared) {
            runs.add(new StraightRun(ranks, calls, item, halfBytes(algorithm, ranks), commutative, "measured", -1));
            runs.add(new StraightRun(ranks, calls, item, halfBytes(algorithm, ranks), commutative, "always", -1));
        }
        return runs;
    }

    /** Two calls that are short enough to be run in many orders. */
    static StraightRun brief(Algorithm algorithm, int ranks) {
        int item = algorithm.collective().reduces ? 4 : 1;
        int count = algorithm.collective() == Collective.BARRIER ? 0 : 3;
        return new StraightRun(ranks, calls(algorithm, 1, ranks, item, count, count), item,
            Math.max(halfBytes(algorithm, ranks), 8 * KIB), algorithm.restrictions().commutative(), "never",
            algorithm instanceof SharedBufferAlgorithm ? 1 : -1);
    }

    /** Calls in which every rank has a part of every window, so that no wait is in vain. */
    static StraightRun full(Algorithm algorithm, int ranks) {
        int item = algorithm.collective().reduces ? 4 : 1;
        int halfBytes = halfBytes(algorithm, ranks);
        int[] counts = counts(algorithm, ranks);
        int count = counts[counts.length - 1];
        if (algorithm instanceof PartitionedAlgorithm) {
            count = 2 * LINE * ranks;
        } else if (algorithm instanceof MovementAvoidingAlgorithm) {
            count = algorithm.collective() == Collective.REDUCE_SCATTER ? count : 4 * 2 * LINE / item * ranks - 1;
        } else if (algorithm instanceof CopyInCopyOutAlgorithm && algorithm.collective() == Collective.BCAST) {
            item = LINE;
            count = (PIECES + 3) * LONG_PIECE / LINE - 1;
            halfBytes = PIECES * LONG_PIECE;
        }
        List<StraightCall> calls = new ArrayList<>();
        boolean aliases = aliases(algorithm);
        for (int call = 0; call < 3; call++) {
            calls.add(new StraightCall(call, algorithm,
                new SampleCall(algorithm.collective(), ranks, 0, count, 1, aliases && call == 1, true), item,
                call == 2));
        }
        return new StraightRun(ranks, calls, item, halfBytes, algorithm.restrictions().commutative(), "never", -1);
    }

    private static boolean aliases(Algorithm algorithm) {
        return Aliasing.happens(algorithm.collective()) || algorithm.collective().overwrites;
    }

    /** Calls of several algorithms in turn that use one buffer, or one board. */
    static List<StraightRun> mixed(int ranks) {
        List<StraightRun> runs = new ArrayList<>();
        List<StraightCall> buffer = new ArrayList<>();
        List<StraightCall> boards = new ArrayList<>();
        for (int turn = 0; turn < 3; turn++) {
            for (Algorithm algorithm : Catalogue.all()) {
                int count = algorithm.collective() == Collective.BARRIER ? 0 : 5 + 60 * turn + 4 * buffer.size();
                if (StraightRank.runs(algorithm) && algorithm.restrictions().violatedBy(ranks, 0, true) == null) {
                    List<StraightCall> calls = algorithm instanceof SharedBufferAlgorithm ? buffer : boards;
                    add(calls, algorithm, ranks, 4, turn % ranks, count, false);
                }
            }
        }
        runs.add(new StraightRun(ranks, buffer, 4, PIECES * 8 * KIB, true, "measured", buffer.size() / 2));
        runs.add(new StraightRun(ranks, boards, 4, LINE * ranks, true, "never", -1));
        return runs;
    }

    private static int halfBytes(Algorithm algorithm, int ranks) {
        if (algorithm instanceof PartitionedAlgorithm) {
            return ranks * 16 * KIB + LINE;
        }
        return algorithm instanceof CopyInCopyOutAlgorithm ? LINE * ranks : 2 * LINE * ranks;
    }

    /** Lengths of vectors, or of blocks, in items. */
    private static int[] counts(Algorithm algorithm, int ranks) {
        if (algorithm.collective() == Collective.BARRIER) {
            return new int[] {0, 0, 0};
        }
        if (algorithm instanceof PartitionedAlgorithm) {
            // Some ranks have no slice, a short one, one of two pieces.
            return new int[] {0, 1, 33, 16 * ranks + 1, ranks <= 3 ? 4 * KIB - 3 : 700};
        }
        if (algorithm instanceof CopyInCopyOutAlgorithm) {
            return algorithm.collective() == Collective.BCAST ? new int[] {0, 1, 8 * KIB + 5, 3 * 8 * KIB}
                : new int[] {0, 1, LINE, 3 * LINE + 7};
        }
        if (algorithm instanceof SharedBufferAlgorithm) {
            int window = 2 * LINE / 4 * ranks;
            return algorithm.collective() == Collective.REDUCE_SCATTER ? new int[] {0, 1, 31, 33, 100}
                : new int[] {0, 1, window - 1, window, 3 * window + 5};
        }
        return new int[] {0, 1, 7, 33};
    }

    private static List<StraightCall> calls(Algorithm algorithm, int ranks, int item, int[] counts) {
        int roots = !algorithm.collective().rooted ? 1 : ranks <= ALL_ROOTS ? ranks : 4;
        return calls(algorithm, roots, ranks, item, counts);
    }

    /** Every length in place and not, with the roots in turn; then every root that is left. */
    private static List<StraightCall> calls(Algorithm algorithm, int roots, int ranks, int item, int... counts) {
        List<StraightCall> calls = new ArrayList<>();
        boolean aliases = aliases(algorithm);
        int made = 0;
        for (int turn = 0; turn < (aliases ? 2 : 1); turn++) {
            for (int count : counts) {
                add(calls, algorithm, ranks, item, root(made++, roots, ranks), count, aliases && turn == 1);
            }
        }
        for (; algorithm.collective().rooted && made < 2 * roots; made++) {
            add(calls, algorithm, ranks, item, root(made, roots, ranks), counts[made % counts.length],
                aliases && made / roots % 2 == 0);
        }
        return calls;
    }

    private static int root(int number, int roots, int ranks) {
        int place = number % roots;
        return roots == ranks || place < 2 ? place : place == 2 ? ranks / 2 : ranks - 1;
    }

    /** Adds a call unless it is longer than the algorithm may be given. */
    private static void add(List<StraightCall> calls, Algorithm algorithm, int ranks, int item, int root, int count,
        boolean inPlace) {
        SampleCall sample = new SampleCall(algorithm.collective(), ranks, root, count, 1, inPlace, false);
        long items = algorithm.collective().counts != Counts.SHARED ? count
            : IntStream.of(algorithm.collective().send == Extent.EACH ? sample.sent(0) : sample.received(0)).sum();
        if (items * item <= algorithm.restrictions().maximumBytes(ranks)) {
            calls.add(new StraightCall(calls.size(), algorithm, sample, item, calls.size() % 2 == 1));
        }
    }
}

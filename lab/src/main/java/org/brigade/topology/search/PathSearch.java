package org.brigade.topology.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.brigade.topology.profile.Crossing;
import org.brigade.topology.profile.MeasuredPath;
import org.brigade.topology.profile.NodeLayout;
import org.brigade.topology.profile.Transfer;

/**
 * The fastest path over a set of GPUs according to a {@link TransferMeter}: from GPU to GPU by a direct write, a direct
 * read, or a bounce buffer in the memory of some NUMA node.
 *
 * <p>
 * Source: Kim, Ryu, Lee, "TCCL: discovering better communication paths for PCIe GPU clusters", 2024, Methods. Best
 * first: of all partial paths, the one whose transfers are fastest together is extended. As another transfer never
 * makes the others faster, the first path that is complete when its turn comes is a fastest one. Of equally fast ones
 * the longest goes first, then the one found first.
 *
 * <p>
 * With a tolerance, of the partial paths whose speed is within it of the fastest, the longest goes first. The result is
 * as fast as the fastest up to the tolerance (J. Pearl, J. Kim, Studies in semi-admissible heuristics, IEEE PAMI 4,
 * 1982: A*-epsilon).
 *
 * <p>
 * Beyond {@value #EXACT} GPUs there are too many paths: of the partial paths that have visited the same GPUs and end at
 * the same one, the first {@value #WIDTH} are extended, and the result need not be the fastest.
 */
public final class PathSearch {
    /** A set may measure faster than one of its subsets by this factor through noise alone. */
    private static final double NOISE = 1.03;
    private static final int EXACT = 4;
    private static final int WIDTH = 8;
    private static final int NONE = -1;
    private static final int STAGES = Stage.values().length;

    private final NodeLayout layout;
    private final TransferMeter meter;
    private final List<Mover> movers;
    private final boolean onlyWrites;
    private final double tolerance;
    private final Consumer<String> warnings;

    /** A partial path. */
    private record State(List<Transfer> body, TransferSet set, int visited, int first, int last, Stage stage,
        double bandwidth, int number) {
    }

    private enum Stage { GPUS, HEAD, TAIL, WHOLE }

    /** The goal of a search; {@code start} and {@code end} are GPUs or NONE for any. */
    private record Goal(int mask, boolean ring, Crossing head, Crossing tail, int start, int end) {
    }

    /**
     * @param movers the parts that may move a GPU's data: {@link Mover#KERNEL}, {@link Mover#MEMCPY} or both
     * @param tolerance a path counts as fastest up to this share: 0 is exact. Measurements have noise; without a
     * tolerance it would keep a search going through all equally good paths
     * @param warnings receives a sentence when a set measures more than 3 % faster than one of its subsets, as the
     * search relies on the contrary
     */
    public PathSearch(NodeLayout layout, TransferMeter meter, List<Mover> movers, double tolerance,
        Consumer<String> warnings) {
        this(layout, meter, movers, tolerance, warnings, false);
    }

    /** @param onlyWrites the only way from one GPU to another is a direct write */
    PathSearch(NodeLayout layout, TransferMeter meter, List<Mover> movers, double tolerance, Consumer<String> warnings,
        boolean onlyWrites) {
        if (movers.isEmpty() || !(tolerance >= 0) || tolerance >= 1) {
            throw new IllegalArgumentException(
                "movers " + movers + ", tolerance " + tolerance + ": name a mover, and a tolerance from 0 to below 1");
        }
        this.layout = layout;
        this.meter = meter;
        this.movers = List.copyOf(movers);
        this.tolerance = tolerance;
        this.warnings = warnings;
        this.onlyWrites = onlyWrites;
    }

    /** Exact, with kernels, as TCCL does by default; warnings are dropped. */
    public PathSearch(NodeLayout layout, TransferMeter meter) {
        this(layout, meter, List.of(Mover.KERNEL), 0, warning -> {});
    }

    /** The fastest ring over two or more GPUs; it begins at the first of them. */
    public MeasuredPath ring(int mask) {
        check(mask, 2);
        return search(new Goal(mask, true, null, null, Integer.numberOfTrailingZeros(mask), NONE));
    }

    /** The fastest path from one GPU over all others of two or more; null if that GPU is not among them. */
    public MeasuredPath chain(int mask, int start) {
        check(mask, 2);
        return start < 0 || start >= layout.gpus() || (mask >> start & 1) == 0 ? null
            : search(new Goal(mask, false, null, null, start, NONE));
    }

    /**
     * The fastest path over one or more GPUs for data that come from the previous node and go to the next, measured
     * with both crossings under way.
     *
     * @param head the crossing by which data come; null: they begin here, at {@code start}
     * @param tail the crossing by which data go; null: they end here
     * @param start the GPU where they begin if there is no head; -1 for any
     * @return null if a crossing is impossible, or ends or begins at a GPU outside the set, or if more than one GPU
     * must be visited between a GPU and itself
     */
    public MeasuredPath through(int mask, Crossing head, Crossing tail, int start) {
        check(mask, 1);
        int first = head != null && head.toGpu() ? head.to() : head == null ? start : NONE;
        int last = tail != null && tail.fromGpu() ? tail.from() : NONE;
        boolean inside = (first == NONE || (mask >> first & 1) != 0) && (last == NONE || (mask >> last & 1) != 0);
        boolean possible =
            (head == null || meter.possible(head.head())) && (tail == null || meter.possible(tail.tail()));
        if (!possible || !inside || first != NONE && first == last && Integer.bitCount(mask) > 1
            || head == null && tail == null) {
            return null;
        }
        return search(new Goal(mask, false, head, tail, first, last));
    }

    private void check(int mask, int least) {
        if (mask <= 0 || mask > layout.allGpus() || Integer.bitCount(mask) < least) {
            throw new IllegalArgumentException(
                "the set of GPUs " + mask + " is not " + least + " or more of " + layout.gpus());
        }
    }

    private MeasuredPath search(Goal goal) {
        Frontier open = new Frontier();
        Map<Long, Integer> widths = Integer.bitCount(goal.mask) > EXACT ? new HashMap<>() : null;
        int number = 0;
        for (int gpu = 0; gpu < layout.gpus(); gpu++) {
            boolean allowed = (goal.mask >> gpu & 1) != 0 && (goal.start == NONE || goal.start == gpu)
                && (goal.end != gpu || Integer.bitCount(goal.mask) == 1);
            if (allowed) {
                open.add(new State(List.of(), TransferSet.EMPTY, 1 << gpu, gpu, gpu, Stage.GPUS,
                    Double.POSITIVE_INFINITY, number++));
            }
        }
        for (State state = open.next(); state != null; state = open.next()) {
            if (state.stage == Stage.WHOLE) {
                return written(state, goal);
            }
            boolean crowded = widths != null
                && widths.merge(((long) state.visited * Transfer.MOST + state.last) * STAGES + state.stage.ordinal(), 1,
                    Integer::sum) > WIDTH;
            for (State next : crowded ? List.<State>of() : extensions(state, goal, number)) {
                open.add(next);
                number++;
            }
        }
        return null;
    }

    /**
     * The path with direct writes for all hops where they are possible, or else for those by reads, if that is as fast
     * up to the tolerance: of ways that measure alike, noise would choose anew at every hop.
     */
    private MeasuredPath written(State whole, Goal goal) {
        List<Integer> order = order(whole, goal);
        for (boolean bounces : tolerance > 0 ? new boolean[] {true, false} : new boolean[0]) {
            List<Transfer> writes = writes(whole.body, bounces);
            if (!writes.equals(whole.body)) {
                List<Transfer> all = new ArrayList<>(whole.set.transfers());
                all.removeAll(whole.body);
                all.addAll(writes);
                double bandwidth = meter.bandwidth(TransferSet.of(all));
                if (bandwidth >= whole.bandwidth / (1 + tolerance)) {
                    return new MeasuredPath(bandwidth, order, writes);
                }
            }
        }
        return new MeasuredPath(whole.bandwidth, order, whole.body);
    }

    private List<Transfer> writes(List<Transfer> body, boolean bounces) {
        Mover mover = movers.get(0);
        List<Transfer> writes = new ArrayList<>();
        for (int i = 0; i < body.size(); i++) {
            Transfer one = body.get(i);
            Transfer next = i + 1 < body.size() ? body.get(i + 1) : one;
            boolean reads = one.type().peer() && one.type().read();
            boolean bounce = bounces && one.type().fromGpu() && !one.type().toGpu() && next.type().toGpu();
            int to = bounce ? next.to() : one.to();
            if ((reads || bounce) && layout.peers()[one.from()][to]) {
                writes.add(mover.write(one.from(), to));
                i += bounce ? 1 : 0;
            } else {
                writes.add(one);
            }
        }
        return writes;
    }

    /** Partial paths that have not been extended. */
    private final class Frontier {
        private final PriorityQueue<State> fastest = new PriorityQueue<>(
            Comparator.comparingDouble(State::bandwidth).reversed().thenComparingInt(State::number));
        /** Those within the tolerance of the fastest, the longest first; and the others. */
        private final PriorityQueue<State> near = new PriorityQueue<>(Comparator.comparing(State::stage)
            .thenComparingInt((State state) -> Integer.bitCount(state.visited())).reversed()
            .thenComparing(Comparator.comparingDouble(State::bandwidth).reversed()).thenComparingInt(State::number));
        private final PriorityQueue<State> far = new PriorityQueue<>(
            Comparator.comparingDouble(State::bandwidth).reversed().thenComparingInt(State::number));
        private final Set<Integer> taken = new HashSet<>();
        private double least = Double.POSITIVE_INFINITY;

        void add(State state) {
            fastest.add(state);
            (state.bandwidth >= least ? near : far).add(state);
        }

        /** The next to be extended; null if there is none. */
        State next() {
            while (!fastest.isEmpty() && taken.remove(fastest.peek().number)) {
                fastest.remove();
            }
            if (fastest.isEmpty()) {
                return null;
            }
            least = fastest.peek().bandwidth / (1 + tolerance);
            while (!far.isEmpty() && far.peek().bandwidth >= least) {
                near.add(far.remove());
            }
            State next = near.remove();
            taken.add(next.number);
            return next;
        }
    }

    private static List<Integer> order(State state, Goal goal) {
        return state.body.isEmpty() ? List.of(state.first)
            : MeasuredPath.of(state.bandwidth, goal.mask, state.body, goal.ring).gpus();
    }

    private List<State> extensions(State state, Goal goal, int number) {
        List<State> next = new ArrayList<>();
        Stage stage = state.stage;
        if (stage == Stage.GPUS && state.visited != goal.mask) {
            for (int gpu = 0; gpu < layout.gpus(); gpu++) {
                int visited = state.visited | 1 << gpu;
                boolean fresh = (goal.mask >> gpu & 1) != 0 && visited != state.visited;
                if (fresh && (goal.end == NONE || (gpu == goal.end) == (visited == goal.mask))) {
                    Stage then = visited == goal.mask && !goal.ring && goal.head == null && goal.tail == null
                        ? Stage.WHOLE : Stage.GPUS;
                    for (List<Transfer> hop : hops(state.last, gpu)) {
                        next.add(extended(state, List.of(), hop, hop, visited, gpu, then, number + next.size()));
                    }
                }
            }
        } else if (stage == Stage.GPUS && goal.ring) {
            for (List<Transfer> hop : hops(state.last, state.first)) {
                next.add(extended(state, List.of(), hop, hop, state.visited, state.first, Stage.WHOLE,
                    number + next.size()));
            }
        } else if (stage == Stage.GPUS && goal.head != null) {
            Stage then = goal.tail == null ? Stage.WHOLE : Stage.HEAD;
            for (List<Transfer> prefix : goal.head.toGpu() ? List.of(List.<Transfer>of())
                : each(mover -> mover.fromHost(goal.head.to(), state.first))) {
                next.add(extended(state, prefix, List.of(), with(prefix, goal.head.head()), state.visited, state.last,
                    then, number + next.size()));
            }
        } else {
            for (List<Transfer> suffix : goal.tail.fromGpu() ? List.of(List.<Transfer>of())
                : each(mover -> mover.toHost(state.last, goal.tail.from()))) {
                next.add(extended(state, List.of(), suffix, with(suffix, goal.tail.tail()), state.visited, state.last,
                    Stage.WHOLE, number + next.size()));
            }
        }
        return next;
    }

    private State extended(State state, List<Transfer> before, List<Transfer> behind, List<Transfer> added, int visited,
        int last, Stage stage, int number) {
        TransferSet set = state.set.plus(added);
        double bandwidth = meter.bandwidth(set);
        if (bandwidth > state.bandwidth * Math.max(NOISE, 1 + tolerance)) {
            warnings.accept("measured " + gigabytes(bandwidth) + " GB/s for " + set + ", but only "
                + gigabytes(state.bandwidth) + " without " + added
                + ": more transfers cannot be faster, so the machine was busy with something else; measure again"
                + " when it is idle, or with more bytes");
        }
        List<Transfer> body = new ArrayList<>(before);
        body.addAll(state.body);
        body.addAll(behind);
        return new State(body, set, visited, state.first, last, stage, bandwidth, number);
    }

    private static double gigabytes(double bandwidth) {
        return Math.round(bandwidth / 1e7) / 100.0;
    }

    private static List<Transfer> with(List<Transfer> transfers, Transfer more) {
        List<Transfer> all = new ArrayList<>(transfers);
        all.add(more);
        return all;
    }

    /** All ways to move data from one GPU to another. */
    List<List<Transfer>> hops(int from, int to) {
        List<List<Transfer>> hops = new ArrayList<>();
        for (Mover mover : movers) {
            if (layout.peers()[from][to]) {
                hops.add(List.of(mover.write(from, to)));
            }
            if (layout.peers()[to][from] && !onlyWrites) {
                hops.add(List.of(mover.read(from, to)));
            }
        }
        for (int numa = 0; numa < layout.numaNodes() && !onlyWrites; numa++) {
            for (Mover out : movers) {
                for (Mover in : movers) {
                    hops.add(List.of(out.toHost(from, numa), in.fromHost(numa, to)));
                }
            }
        }
        return hops;
    }

    /** What each way of moving data makes of a hop. */
    private List<List<Transfer>> each(Function<Mover, Transfer> hop) {
        return movers.stream().map(mover -> List.of(hop.apply(mover))).toList();
    }
}

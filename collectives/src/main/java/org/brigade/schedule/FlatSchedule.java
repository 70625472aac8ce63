package org.brigade.schedule;

import java.util.Arrays;
import java.util.List;

/**
 * A schedule in the form that runs: its steps in arrays, its loops as jumps. Still folded, and independent of any
 * count.
 *
 * <pre>
 * code of a lane:   STEP id | LOOP kind rounds end | NEXT kind begin | END
 * </pre> {@code kind} is 0 for rounds and 1 for windows; {@code end} and {@code begin} are positions in the code.
 */
public class FlatSchedule {
    public static final int STEP = 0;
    public static final int LOOP = 1;
    public static final int NEXT = 2;
    public static final int END = 3;
    public static final int ROUNDS = 0;
    public static final int WINDOWS = 1;
    /** The kind of loops around a step. */
    public static final int FLAT = 0;
    public static final int IN_ROUNDS = 1;
    public static final int IN_WINDOWS = 2;
    public static final int ROUNDS_OVER_WINDOWS = 3;
    public static final int WINDOWS_OVER_ROUNDS = 4;

    public final Schedule schedule;
    /** By lane: its code. */
    public final int[][] lanes;
    public final Step[] steps;
    public final Index[] peers;
    public final Slice[] targets;
    public final Slice[] sources;
    public final int[] nests;
    /** Rounds of the loop around a step; 1 without one. */
    public final int[] rounds;
    /** Triples of step, distance and whether all of its runs are awaited. */
    public final int[][] awaits;

    public FlatSchedule(Schedule schedule) {
        this.schedule = schedule;
        int count = schedule.steps();
        steps = new Step[count];
        peers = new Index[count];
        targets = new Slice[count];
        sources = new Slice[count];
        nests = new int[count];
        rounds = new int[count];
        awaits = new int[count][];
        lanes = new int[schedule.lanes().size()][];
        for (int lane = 0; lane < lanes.length; lane++) {
            Lane text = schedule.lanes().get(lane);
            Code code = new Code();
            flatten(text.body(), code, FLAT, 1);
            code.add(END);
            lanes[lane] = code.finish();
        }
    }

    private void flatten(List<Node> body, Code code, int nest, int loopRounds) {
        for (Node node : body) {
            if (node instanceof Step step) {
                code.add(STEP);
                code.add(step.id());
                register(step, nest, loopRounds);
            } else if (node instanceof Loop loop) {
                int kind = loop.overWindows() ? WINDOWS : ROUNDS;
                code.add(LOOP);
                code.add(kind);
                code.add(loop.rounds());
                int end = code.add(0);
                int begin = code.size();
                flatten(loop.body(), code, inner(nest, kind), kind == ROUNDS ? loop.rounds() : loopRounds);
                code.add(NEXT);
                code.add(kind);
                code.add(begin);
                code.set(end, code.size());
            }
        }
    }

    private static int inner(int nest, int kind) {
        return switch (nest) {
            case FLAT -> kind == ROUNDS ? IN_ROUNDS : IN_WINDOWS;
            case IN_ROUNDS -> {
                if (kind == ROUNDS) {
                    throw new IllegalArgumentException("rounds within rounds");
                }
                yield ROUNDS_OVER_WINDOWS;
            }
            case IN_WINDOWS -> {
                if (kind == WINDOWS) {
                    throw new IllegalArgumentException("windows within windows");
                }
                yield WINDOWS_OVER_ROUNDS;
            }
            default -> throw new IllegalArgumentException("loops three deep");
        };
    }

    private void register(Step step, int nest, int loopRounds) {
        int id = step.id();
        steps[id] = step;
        peers[id] = step.peer();
        targets[id] = step.target();
        sources[id] = step.source();
        nests[id] = nest;
        rounds[id] = loopRounds;
        int[] flat = new int[step.awaits().size() * 3];
        int at = 0;
        for (Await await : step.awaits()) {
            flat[at++] = await.step();
            flat[at++] = await.distance();
            flat[at++] = await.all() ? 1 : 0;
        }
        awaits[id] = flat;
    }

    /** How often a step runs in a call that has this many windows. */
    public final int runs(int step, int windows) {
        return switch (nests[step]) {
            case FLAT -> 1;
            case IN_ROUNDS -> rounds[step];
            case IN_WINDOWS -> windows;
            default -> rounds[step] * windows;
        };
    }

    /**
     * How often the step that an await names must have run before the awaiting step may run in this round and window.
     *
     * @param at position of the await's triple in {@link #awaits}
     */
    public final int needed(int step, int at, int round, int window, int windows) {
        int[] triples = awaits[step];
        if (triples[at + 2] != 0) {
            return runs(triples[at], windows);
        }
        int back = round - triples[at + 1];
        if (back < 0) {
            return 0;
        }
        return switch (nests[step]) {
            case FLAT -> 1;
            case IN_ROUNDS -> back + 1;
            case IN_WINDOWS -> window + 1;
            case ROUNDS_OVER_WINDOWS -> back * windows + window + 1;
            default -> window * rounds[step] + back + 1;
        };
    }

    /** A growing list of ints. */
    private static final class Code {
        private int[] ints = new int[16];
        private int size;

        int add(int value) {
            if (size == ints.length) {
                ints = Arrays.copyOf(ints, size * 2);
            }
            ints[size] = value;
            return size++;
        }

        void set(int at, int value) {
            ints[at] = value;
        }

        int size() {
            return size;
        }

        int[] finish() {
            return Arrays.copyOf(ints, size);
        }
    }
}

package org.brigade.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.schedule.Await;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Lane;
import org.brigade.schedule.Loop;
import org.brigade.schedule.Node;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.Slice;
import org.brigade.schedule.Step;

/** One rank's schedule with its loops unrolled over rounds and windows, and its memory. */
final class Program {
    /** A run of a step: in one round and window. */
    static final class Run {
        final Step step;
        final int round;
        final int window;
        int peer = -1;
        /** First elements in the rank's {@link Image}; -1 if the step has no such operand. */
        int target = -1;
        int source = -1;
        int length;
        /** For every lane, how many of its runs must have ended. */
        final int[] needs;

        Run(Step step, int round, int window, int lanes) {
            this.step = step;
            this.round = round;
            this.window = window;
            this.needs = new int[lanes];
        }

        boolean signal() {
            return step.target() == null && step.source() == null;
        }

        /** Whether it moves nothing: the slice has no bytes in this window. */
        boolean idle() {
            return length == 0 && !signal();
        }
    }

    final Geometry geometry;
    final List<Lane> laneNames;
    final Image image;
    final Run[][] lanes;
    private final int windows;
    private final int[] laneOf;
    /** By step: the numbers of its runs in its lane, by round and window. */
    private final int[][] positions;

    Program(Schedule schedule, Sizes sizes) {
        geometry = schedule.geometry();
        laneNames = schedule.lanes();
        image = new Image(schedule, sizes);
        int most = 1;
        int highest = -1;
        for (Lane lane : schedule.lanes()) {
            most = Math.max(most, windows(lane.body(), false, 1));
            highest = Math.max(highest, highest(lane.body()));
        }
        windows = most;
        laneOf = new int[highest + 1];
        positions = new int[highest + 1][];
        lanes = new Run[schedule.lanes().size()][];
        for (int lane = 0; lane < lanes.length; lane++) {
            List<Run> runs = new ArrayList<>();
            expand(schedule.lanes().get(lane).body(), lane, 1, 0, -1, runs);
            lanes[lane] = runs.toArray(new Run[0]);
        }
        for (Run[] runs : lanes) {
            for (Run run : runs) {
                bind(run);
            }
        }
    }

    private static int highest(List<Node> body) {
        int highest = -1;
        for (Node node : body) {
            highest = Math.max(highest, node instanceof Step step ? step.id() : highest(((Loop) node).body()));
        }
        return highest;
    }

    /** Most windows of a slice in a loop over windows. */
    private int windows(List<Node> body, boolean inside, int rounds) {
        int most = 1;
        for (Node node : body) {
            if (node instanceof Loop loop) {
                most = Math.max(most,
                    windows(loop.body(), inside || loop.overWindows(), loop.overWindows() ? rounds : loop.rounds()));
            } else if (inside) {
                Step step = (Step) node;
                Slice slice = step.target() != null ? step.target() : step.source();
                for (int round = 0; slice != null && round < rounds; round++) {
                    most = Math.max(most, (image.length(slice, round) + image.window() - 1) / image.window());
                }
            }
        }
        return most;
    }

    private void expand(List<Node> body, int lane, int rounds, int round, int window, List<Run> runs) {
        for (Node node : body) {
            if (node instanceof Step step) {
                int[] known = positions[step.id()];
                if (known == null) {
                    known = new int[rounds * windows];
                    Arrays.fill(known, -1);
                    positions[step.id()] = known;
                    laneOf[step.id()] = lane;
                }
                known[round * windows + Math.max(window, 0)] = runs.size();
                runs.add(place(new Run(step, round, Math.max(window, 0), lanes.length), window >= 0));
            } else if (node instanceof Loop loop && loop.overWindows()) {
                for (int i = 0; i < windows; i++) {
                    expand(loop.body(), lane, rounds, round, i, runs);
                }
            } else if (node instanceof Loop loop) {
                for (int i = 0; i < loop.rounds(); i++) {
                    expand(loop.body(), lane, loop.rounds(), i, window, runs);
                }
            }
        }
    }

    private Run place(Run run, boolean windowed) {
        Step step = run.step;
        if (step.peer() != null) {
            run.peer = step.peer().at(run.round);
        }
        Slice sample = step.target() != null ? step.target() : step.source();
        if (sample == null) {
            return run;
        }
        int whole = image.length(sample, run.round);
        if (step.target() != null && step.source() != null && image.length(step.source(), run.round) != whole) {
            throw new IllegalStateException("rank " + geometry.rank() + " step " + step.id() + " (" + step.opcode()
                + "): " + step.target() + " has "
                + whole + " elements, " + step.source() + " has " + image.length(step.source(), run.round));
        }
        int skip = windowed ? Math.min(whole, run.window * image.window()) : 0;
        run.length = windowed ? Math.min(image.window(), whole - skip) : whole;
        if (step.target() != null) {
            run.target = image.start(step.target(), run.round) + skip;
        }
        if (step.source() != null) {
            run.source = image.start(step.source(), run.round) + skip;
        }
        return run;
    }

    private void bind(Run run) {
        for (Await await : run.step.awaits()) {
            int[] known = await.step() < positions.length ? positions[await.step()] : null;
            if (known == null) {
                throw new IllegalStateException(
                    "rank " + geometry.rank() + " step " + run.step.id() + " awaits step " + await.step()
                        + ", which does not exist");
            }
            int lane = laneOf[await.step()];
            int round = run.round - await.distance();
            int position = -1;
            if (await.all()) {
                for (int other : known) {
                    position = Math.max(position, other);
                }
            } else if (round >= 0 && round * windows + run.window < known.length) {
                position = known[round * windows + run.window];
            }
            run.needs[lane] = Math.max(run.needs[lane], position + 1);
        }
    }

    String laneName(int step) {
        return laneNames.get(laneOf[step]).name();
    }

    /** A run in words: {@code lane receive, step 14 (RECV with rank 3) in round 2, window 0}. */
    String name(int lane, int position) {
        Run run = lanes[lane][position];
        String at = run.round > 0 || run.window > 0 ? " in round " + run.round + ", window " + run.window : "";
        return "lane " + laneNames.get(lane).name() + ", step " + run.step.id() + " (" + run.step.opcode()
            + (run.peer >= 0 ? " with rank " + run.peer : "") + ")" + at;
    }
}

package org.brigade.verify;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.brigade.schedule.Await;
import org.brigade.schedule.Index;
import org.brigade.schedule.Lane;
import org.brigade.schedule.Loop;
import org.brigade.schedule.Node;
import org.brigade.schedule.Opcode;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.Slice;
import org.brigade.schedule.Step;

/** Schedules with one thing wrong. */
final class Mutation {
    private Mutation() {
    }

    /** The schedules with one step of one rank changed, or removed if {@code change} gives null. */
    static Schedule[] change(Schedule[] schedules, int rank, int step, UnaryOperator<Step> change) {
        Schedule old = schedules[rank];
        List<Lane> lanes = new ArrayList<>();
        for (Lane lane : old.lanes()) {
            lanes.add(new Lane(lane.name(), change(lane.body(), step, change)));
        }
        return with(schedules, rank, lanes);
    }

    private static List<Node> change(List<Node> body, int step, UnaryOperator<Step> change) {
        List<Node> nodes = new ArrayList<>();
        for (Node node : body) {
            if (node instanceof Loop loop) {
                nodes.add(new Loop(loop.rounds(), change(loop.body(), step, change)));
            } else if (((Step) node).id() != step) {
                nodes.add(node);
            } else {
                Step changed = change.apply((Step) node);
                if (changed != null) {
                    nodes.add(changed);
                }
            }
        }
        return nodes;
    }

    /** The schedules with two top-level steps of a lane in each other's place. */
    static Schedule[] swap(Schedule[] schedules, int rank, int lane, int one, int other) {
        List<Lane> lanes = new ArrayList<>(schedules[rank].lanes());
        List<Node> body = new ArrayList<>(lanes.get(lane).body());
        Collections.swap(body, one, other);
        lanes.set(lane, new Lane(lanes.get(lane).name(), body));
        return with(schedules, rank, lanes);
    }

    /** The schedules with a top-level step of a lane written twice. */
    static Schedule[] repeat(Schedule[] schedules, int rank, int lane, int position, Step again) {
        List<Lane> lanes = new ArrayList<>(schedules[rank].lanes());
        List<Node> body = new ArrayList<>(lanes.get(lane).body());
        body.add(position + 1, again);
        lanes.set(lane, new Lane(lanes.get(lane).name(), body));
        return with(schedules, rank, lanes);
    }

    private static Schedule[] with(Schedule[] schedules, int rank, List<Lane> lanes) {
        Schedule old = schedules[rank];
        Schedule[] changed = schedules.clone();
        changed[rank] = new Schedule(old.algorithm(), old.geometry(), old.blocks(), Math.max(old.areas(), 2),
            old.steps() + 1, lanes);
        return changed;
    }

    /** All steps of a schedule, loops folded. */
    static List<Step> steps(Schedule schedule) {
        List<Step> steps = new ArrayList<>();
        for (Lane lane : schedule.lanes()) {
            collect(lane.body(), steps);
        }
        return steps;
    }

    private static void collect(List<Node> body, List<Step> steps) {
        for (Node node : body) {
            if (node instanceof Loop loop) {
                collect(loop.body(), steps);
            } else {
                steps.add((Step) node);
            }
        }
    }

    // ---- changes of one step ----

    static Step withPeer(Step step, int peer) {
        return new Step(step.id(), step.opcode(), Index.of(peer), step.target(), step.source(), step.incomingFirst(),
            step.awaits());
    }

    static Step withTarget(Step step, Slice target) {
        return new Step(step.id(), step.opcode(), step.peer(), target, step.source(), step.incomingFirst(),
            step.awaits());
    }

    static Step withSource(Step step, Slice source) {
        return new Step(step.id(), step.opcode(), step.peer(), step.target(), source, step.incomingFirst(),
            step.awaits());
    }

    static Step withOrder(Step step, boolean incomingFirst) {
        return new Step(step.id(), step.opcode(), step.peer(), step.target(), step.source(), incomingFirst,
            step.awaits());
    }

    static Step withAwaits(Step step, List<Await> awaits) {
        return new Step(step.id(), step.opcode(), step.peer(), step.target(), step.source(), step.incomingFirst(),
            awaits);
    }

    static Step reduceAgain(Step step, int id) {
        return new Step(id, Opcode.REDUCE, null, step.target(), step.source(), step.incomingFirst(), List.of());
    }
}

package org.brigade.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Authors of algorithms write schedules with this builder: data movement only. The builder finds the lanes (one that
 * receives and computes, one that sends) and the waits between them: for every block it keeps the last writer and the
 * readers since, over all rounds of the loops, and makes a step wait exactly for the steps of other lanes that it
 * depends on ({@link Hazards}).
 *
 * <p>
 * A lane runs in order, so a message under way delays all later steps of its lane. If one rank does several things that
 * do not depend on each other's pace (passing chunks on between nodes, and within its own), the author says so with
 * {@link #stage}: every stage has two lanes of its own. All messages from one rank to another are of one stage: they
 * are one ordered stream.
 *
 * <p>
 * Not reusable: one builder makes one schedule. Every misuse is an IllegalStateException that names the algorithm, the
 * rank and the step.
 */
public final class ScheduleBuilder {
    static final int RECEIVE = 0;
    static final int SEND = 1;

    private final String algorithm;
    private final Geometry geometry;
    private final Draft.Body program = new Draft.Body(null, 1);
    private final List<Draft.Move> moves = new ArrayList<>();
    private Draft.Body open = program;
    private int blocks = 1;
    private int areas;
    private int stages = 1;
    private int stage;
    /**
     * By peer: the stage in which messages are sent to it, and received from it, if there are several stages. A rank
     * has few peers, however many ranks there are.
     */
    private final Map<Integer, Integer> sentIn = new HashMap<>();
    private final Map<Integer, Integer> receivedIn = new HashMap<>();
    private boolean finished;
    /** Reducing networks that are peers. */
    private int networks;

    public ScheduleBuilder(String algorithm, Geometry geometry) {
        this.algorithm = algorithm;
        this.geometry = geometry;
    }

    // ---- operands ----

    /** Cuts the vector into blocks (default 1); to be called first. */
    public void split(int blocks) {
        if (!moves.isEmpty() || blocks < 1) {
            throw wrong("split(" + blocks + "): call it first, with at least 1 block");
        }
        this.blocks = blocks;
    }

    /** Sets the number of stages (default 1), the same on all ranks; call this before any step. */
    public void stages(int stages) {
        if (!moves.isEmpty() || stages < 1) {
            throw wrong("stages(" + stages + "): call it first, with at least 1 stage");
        }
        this.stages = stages;
    }

    /** The steps that follow belong to this stage, 0 to stages - 1. Stages run concurrently. */
    public void stage(int stage) {
        if (stage < 0 || stage >= stages) {
            throw wrong("stage(" + stage + "): there are " + stages + ", from 0; set the number with stages()");
        }
        this.stage = stage;
    }

    /**
     * A reducing network as a peer; the numbers of these peers follow the last rank's. Ranks that send to it are its
     * masters. All masters send messages of the same sizes. For each, the network sends all masters the sum, in the
     * order of their ranks. Each master receives as often as it sends.
     */
    public int network(int rail) {
        networks = Math.max(networks, rail + 1);
        return geometry.ranks() + rail;
    }

    public Slice send(Index first, int blocks) {
        return new Slice(Role.SEND, 0, first, blocks);
    }

    public Slice recv(Index first, int blocks) {
        return new Slice(Role.RECV, 0, first, blocks);
    }

    /** A stretch of a scratch area; areas are numbered from 0. */
    public Slice scratch(int area, Index first, int blocks) {
        areas = Math.max(areas, area + 1);
        return new Slice(Role.SCRATCH, area, first, blocks);
    }

    // ---- steps ----

    public void send(int peer, Slice source) {
        add(SEND, Opcode.SEND, Index.of(peer), null, source, false);
    }

    public void send(Index peer, Slice source) {
        add(SEND, Opcode.SEND, peer, null, source, false);
    }

    public void receive(int peer, Slice target) {
        add(RECEIVE, Opcode.RECV, Index.of(peer), target, null, false);
    }

    public void receive(Index peer, Slice target) {
        add(RECEIVE, Opcode.RECV, peer, target, null, false);
    }

    /** {@code target = operand op incoming}; {@code incomingFirst}: {@code incoming op operand}. */
    public void receiveReduce(int peer, Slice target, Slice operand, boolean incomingFirst) {
        add(RECEIVE, Opcode.RECV_REDUCE, Index.of(peer), target, operand, incomingFirst);
    }

    /** {@code target = operand op incoming}; {@code incomingFirst}: {@code incoming op operand}. */
    public void receiveReduce(Index peer, Slice target, Slice operand, boolean incomingFirst) {
        add(RECEIVE, Opcode.RECV_REDUCE, peer, target, operand, incomingFirst);
    }

    /** {@code target = source}; nothing if the two are the same bytes. */
    public void copy(Slice target, Slice source) {
        if (!Aliasing.same(Aliasing.resolve(geometry, target), Aliasing.resolve(geometry, source))) {
            add(RECEIVE, Opcode.COPY, null, target, source, false);
        }
    }

    /** {@code target = source op target}, or {@code target op source} unless {@code sourceFirst}. */
    public void reduce(Slice target, Slice source, boolean sourceFirst) {
        add(RECEIVE, Opcode.REDUCE, null, target, source, sourceFirst);
    }

    /** Sends an empty message, once every {@link #awaitSignal} written before has been answered. */
    public void signal(int peer) {
        add(SEND, Opcode.SEND, Index.of(peer), null, null, false);
    }

    /** Waits for an empty message. */
    public void awaitSignal(int peer) {
        add(RECEIVE, Opcode.RECV, Index.of(peer), null, null, false);
    }

    // ---- loops ----

    /** Repeats the body for rounds 0 to rounds - 1. */
    public void rounds(int rounds, Consumer<Index> body) {
        if (rounds == 1) {
            body.accept(Index.of(0));
        } else if (rounds > 1) {
            Draft.Body outer = enter(rounds);
            body.accept(Index.ROUND);
            open = outer;
        }
    }

    /** Repeats the body for every window of the blocks. */
    public void windows(Runnable body) {
        Draft.Body outer = enter(Loop.WINDOWS);
        body.run();
        open = outer;
    }

    private Draft.Body enter(int rounds) {
        Draft.Body outer = open;
        boolean windows = rounds == Loop.WINDOWS;
        if (outer.outer != null && (outer.outer.outer != null || outer.overWindows() == windows)) {
            throw wrong("a loop may hold one loop of the other kind, no deeper");
        }
        open = new Draft.Body(outer, rounds);
        outer.nodes.add(open);
        return outer;
    }

    // ---- the result ----

    /** Infers the waits between the lanes and freezes the schedule. */
    public Schedule finish() {
        if (finished) {
            throw wrong("finish() called twice");
        }
        finished = true;
        new Hazards(geometry, blocks, areas, 2 * stages, moves).infer(program);
        List<Lane> lanes = new ArrayList<>(2 * stages);
        for (int each = 0; each < stages; each++) {
            String number = stages == 1 ? "" : " " + each;
            lanes.add(new Lane("receive" + number, body(program, 2 * each + RECEIVE)));
            lanes.add(new Lane("send" + number, body(program, 2 * each + SEND)));
        }
        return new Schedule(algorithm, geometry, blocks, areas, moves.size(), lanes);
    }

    /** The part of a body in a lane; loops without such a part vanish. */
    private static List<Node> body(Draft.Body draft, int lane) {
        List<Node> nodes = new ArrayList<>();
        for (Draft node : draft.nodes) {
            if (node instanceof Draft.Move move) {
                if (move.lane == lane) {
                    nodes.add(move.step());
                }
            } else if (node instanceof Draft.Body loop) {
                List<Node> inner = body(loop, lane);
                if (!inner.isEmpty()) {
                    nodes.add(new Loop(loop.rounds, inner));
                }
            }
        }
        return nodes;
    }

    private void add(int lane, Opcode opcode, Index peer, Slice target, Slice source, boolean incomingFirst) {
        Draft.Move move =
            new Draft.Move(moves.size(), 2 * stage + lane, opcode, peer, target, source, incomingFirst, open);
        int rounds = move.rounds();
        if (peer != null) {
            for (int round = 0; round < rounds; round++) {
                int rank = peer.at(round);
                if (rank < 0 || rank >= geometry.ranks() + networks
                    || rank == geometry.rank()) {
                    throw wrong(
                        move + ": peer " + rank + (rounds > 1 ? " in round " + round : "") + " is not another rank");
                }
                if (stages > 1) {
                    requireOneStage(move, rank, lane == SEND ? sentIn : receivedIn);
                }
            }
        }
        if (target != null) {
            check(move, target, rounds);
            if (target.role() == Role.SEND) {
                throw wrong(move + ": SEND is the caller's buffer and is never written");
            }
        }
        if (source != null) {
            check(move, source, rounds);
        }
        moves.add(move);
        open.nodes.add(move);
    }

    private void requireOneStage(Draft.Move move, int peer, Map<Integer, Integer> stageOf) {
        Integer other = stageOf.putIfAbsent(peer, stage);
        if (other != null && other != stage) {
            throw wrong(move + " of stage " + stage + ": the messages with rank " + peer + " are of stage " + other
                + "; all messages from one rank to another are one ordered stream, so keep them in one stage");
        }
    }

    private void check(Draft.Move move, Slice slice, int rounds) {
        int count = geometry.blocks(slice.role(), blocks);
        if (slice.blocks() > 1 && !geometry.collective().contiguous()) {
            throw wrong(
                move + ": blocks of " + geometry.collective().key() + " do not lie side by side, use one at a time");
        }
        for (int round = 0; round < rounds; round++) {
            int first = slice.first().at(round);
            if (first < 0 || first + slice.blocks() > count) {
                throw wrong(move + ": " + slice + (rounds > 1 ? " in round " + round : "") + " is outside the " + count
                    + " blocks of "
                    + slice.role());
            }
        }
        if (slice.blocks() > 1 && move.windowed()) {
            throw wrong(move + ": " + slice
                + " in a loop over windows: windows of several blocks would meet, use one block at a time");
        }
    }

    private IllegalStateException wrong(String what) {
        return new IllegalStateException(
            geometry.collective().key() + "/" + algorithm + ", rank " + geometry.rank() + " of "
                + geometry.ranks() + ": " + what);
    }
}

package org.brigade.schedule;

import java.util.Arrays;
import java.util.List;

/**
 * Finds what each step must wait for. Runs through the program as written, all rounds of its loops, and keeps for every
 * stretch of blocks the step that last wrote it and, for each lane, the last step that has read it since. A step waits
 * for the writer of what it reads, and for the writer and the readers of what it overwrites; steps of its own lane need
 * no wait. Windows are disjoint, so one window stands for all.
 *
 * <p>
 * A stretch is a run of blocks that no step of the rank divides, so halving a vector of as many blocks as there are
 * ranks costs the logarithm of their number.
 *
 * <p>
 * A wait at the smallest distance seen serves all rounds: dependencies point backwards in the program, and a lane runs
 * in order.
 */
final class Hazards {
    private static final int NONE = -1;

    private final Geometry geometry;
    private final int lanes;
    /** By id. */
    private final List<Draft.Move> moves;
    private final int sendBlocks;
    private final int recvBlocks;
    private final int scratchBlocks;
    /** The place that orders signals, after those of blocks. */
    private final int token;
    /** Places where stretches begin, and where the last ends; ascending. */
    private final int[] cuts;
    private final Draft.Move[] writer;
    private final int[] writerRound;
    /** By stretch and lane. */
    private final Draft.Move[] reader;
    private final int[] readerRound;

    Hazards(Geometry geometry, int vectorBlocks, int areas, int lanes, List<Draft.Move> moves) {
        this.geometry = geometry;
        this.lanes = lanes;
        this.moves = moves;
        sendBlocks = geometry.blocks(Role.SEND, vectorBlocks);
        recvBlocks = geometry.blocks(Role.RECV, vectorBlocks);
        scratchBlocks = geometry.blocks(Role.SCRATCH, vectorBlocks);
        token = sendBlocks + recvBlocks + areas * scratchBlocks;
        cuts = cuts();
        writer = new Draft.Move[cuts.length];
        writerRound = new int[cuts.length];
        reader = new Draft.Move[cuts.length * lanes];
        readerRound = new int[cuts.length * lanes];
        Arrays.fill(writerRound, NONE);
    }

    /** All places where some step's blocks begin or end, in any round, each once. */
    private int[] cuts() {
        int most = 1;
        for (Draft.Move move : moves) {
            most += ((move.source != null ? 2 : 0) + (move.target != null ? 2 : 0)) * move.rounds();
        }
        int[] all = new int[most];
        all[0] = token;
        int count = 1;
        for (Draft.Move move : moves) {
            count = cut(all, count, move.source, move.rounds());
            count = cut(all, count, move.target, move.rounds());
        }
        Arrays.sort(all);
        int distinct = 0;
        for (int i = 0; i < all.length; i++) {
            if (i == 0 || all[i] != all[distinct - 1]) {
                all[distinct++] = all[i];
            }
        }
        return Arrays.copyOf(all, distinct);
    }

    private int cut(int[] all, int count, Slice slice, int rounds) {
        int at = count;
        for (int round = 0; slice != null && round < rounds; round++) {
            int first = place(slice, round);
            all[at++] = first;
            all[at++] = first + slice.blocks();
        }
        return at;
    }

    /** The number of the stretch that begins at a place. */
    private int stretch(int place) {
        return Arrays.binarySearch(cuts, place);
    }

    void infer(Draft.Body program) {
        visit(program, 0);
        prune(program);
    }

    private void visit(Draft.Body body, int round) {
        int times = body.overWindows() ? 1 : body.rounds;
        for (int i = 0; i < times; i++) {
            int now = body.rounds > 1 ? i : round;
            for (Draft node : body.nodes) {
                if (node instanceof Draft.Move move) {
                    if (move.source != null || move.target == null && move.opcode == Opcode.SEND) {
                        read(move, now);
                    }
                    if (move.target != null || move.opcode == Opcode.RECV) {
                        write(move, now);
                    }
                } else if (node instanceof Draft.Body inner) {
                    visit(inner, now);
                }
            }
        }
    }

    private void read(Draft.Move move, int round) {
        if (move.source == null) {
            // A signal overwrites nothing, so no step waits for it.
            int last = stretch(token);
            depend(move, round, writer[last], writerRound[last]);
            return;
        }
        int first = place(move.source, round);
        int end = stretch(first + move.source.blocks());
        for (int at = stretch(first); at < end; at++) {
            depend(move, round, writer[at], writerRound[at]);
            reader[at * lanes + move.lane] = move;
            readerRound[at * lanes + move.lane] = round;
        }
    }

    private void write(Draft.Move move, int round) {
        int first = move.target == null ? token : place(move.target, round);
        int end = move.target == null ? stretch(token) + 1 : stretch(first + move.target.blocks());
        for (int at = stretch(first); at < end; at++) {
            boolean read = false;
            for (int lane = at * lanes; lane < (at + 1) * lanes; lane++) {
                read |= reader[lane] != null;
                depend(move, round, reader[lane], readerRound[lane]);
                reader[lane] = null;
            }
            if (!read) {
                // Its readers have waited for its writer.
                depend(move, round, writer[at], writerRound[at]);
            }
            writer[at] = move;
            writerRound[at] = round;
        }
    }

    private int place(Slice slice, int round) {
        Slice resolved = Aliasing.resolve(geometry, slice);
        int first = resolved.first().at(round);
        return switch (resolved.role()) {
            case SEND -> first;
            case RECV -> sendBlocks + first;
            case SCRATCH -> sendBlocks + recvBlocks + resolved.area() * scratchBlocks + first;
        };
    }

    private void depend(Draft.Move later, int laterRound, Draft.Move earlier, int earlierRound) {
        if (earlier == null || earlier.lane == later.lane) {
            return;
        }
        boolean all = later.body != earlier.body;
        if (all && outermost(later.body) == outermost(earlier.body) && outermost(later.body) != null) {
            throw new IllegalStateException(geometry.collective().key() + ", rank " + geometry.rank() + ": " + later
                + " depends on " + earlier
                + ", which is in the same outer but another inner loop; join the inner loops, or write one outer loop"
                + " for each");
        }
        Await await = new Await(earlier.id, all ? 0 : laterRound - earlierRound, all);
        List<Await> awaits = later.awaits;
        for (int i = 0; i < awaits.size(); i++) {
            Await known = awaits.get(i);
            if (implies(known, await)) {
                return;
            }
            if (implies(await, known)) {
                awaits.remove(i--);
            }
        }
        awaits.add(await);
    }

    /** The outermost loop around a body; null for the program itself. */
    private static Draft.Body outermost(Draft.Body body) {
        if (body.outer == null) {
            return null;
        }
        return body.outer.outer == null ? body : body.outer;
    }

    /**
     * Whether waiting for the one includes waiting for the other, when the same step (or two steps of one body) waits
     * for both.
     */
    private boolean implies(Await one, Await other) {
        if (one.all() != other.all() || moves.get(one.step()).lane != moves.get(other.step()).lane) {
            return false;
        }
        return one.distance() < other.distance() || one.distance() == other.distance() && one.step() >= other.step();
    }

    /** Removes waits that an earlier step of the same body and lane has made already. */
    private void prune(Draft.Body body) {
        for (int i = 0; i < body.nodes.size(); i++) {
            if (body.nodes.get(i) instanceof Draft.Body inner) {
                prune(inner);
            } else if (body.nodes.get(i) instanceof Draft.Move move && !move.awaits.isEmpty()) {
                for (int j = 0; j < i; j++) {
                    if (body.nodes.get(j) instanceof Draft.Move before && before.lane == move.lane) {
                        removeImplied(move.awaits, before.awaits);
                    }
                }
            }
        }
    }

    private void removeImplied(List<Await> awaits, List<Await> made) {
        for (int i = awaits.size() - 1; i >= 0; i--) {
            for (Await one : made) {
                if (implies(one, awaits.get(i))) {
                    awaits.remove(i);
                    break;
                }
            }
        }
    }
}

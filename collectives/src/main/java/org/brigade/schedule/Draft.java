package org.brigade.schedule;

import java.util.ArrayList;
import java.util.List;

/** The program as its author wrote it, before its division into lanes. */
abstract sealed class Draft permits Draft.Move, Draft.Body {

    /** A step whose waits are being found. */
    static final class Move extends Draft {
        final int id;
        final int lane;
        final Opcode opcode;
        final Index peer;
        final Slice target;
        final Slice source;
        final boolean incomingFirst;
        /** The loop (or program) that contains the step. */
        final Body body;
        final List<Await> awaits = new ArrayList<>(2);

        Move(int id, int lane, Opcode opcode, Index peer, Slice target, Slice source, boolean incomingFirst,
            Body body) {
            this.id = id;
            this.lane = lane;
            this.opcode = opcode;
            this.peer = peer;
            this.target = target;
            this.source = source;
            this.incomingFirst = incomingFirst;
            this.body = body;
        }

        /** How often the step runs for one window. */
        int rounds() {
            for (Body loop = body; loop != null; loop = loop.outer) {
                if (!loop.overWindows() && loop.rounds > 1) {
                    return loop.rounds;
                }
            }
            return 1;
        }

        boolean windowed() {
            return body.overWindows() || body.outer != null && body.outer.overWindows();
        }

        Step step() {
            return new Step(id, opcode, peer, target, source, incomingFirst, awaits);
        }

        @Override
        public String toString() {
            return "step " + id + " (" + opcode + ")";
        }
    }

    /** The whole program (a body of one round without an outer one) or a loop. */
    static final class Body extends Draft {
        final Body outer;
        final int rounds;
        final List<Draft> nodes = new ArrayList<>();

        Body(Body outer, int rounds) {
            this.outer = outer;
            this.rounds = rounds;
        }

        boolean overWindows() {
            return rounds == Loop.WINDOWS;
        }
    }
}

package org.brigade.schedule;

import java.util.List;

/**
 * A folded loop. There are two kinds: over rounds (the number is known when the schedule is built; {@link Index} may
 * use it) and over windows (the pieces into which every block is cut for pipelining; the number is known when a call
 * binds its count). A loop of one kind may contain a loop of the other kind, no deeper.
 *
 * @param rounds number of rounds, or {@link #WINDOWS}
 */
public record Loop(int rounds, List<Node> body) implements Node {
    public static final int WINDOWS = -1;

    public Loop {
        body = List.copyOf(body);
    }

    public boolean overWindows() {
        return rounds == WINDOWS;
    }
}

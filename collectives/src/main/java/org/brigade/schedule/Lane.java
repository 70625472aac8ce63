package org.brigade.schedule;

import java.util.List;

/**
 * Steps that run strictly one after another. The lanes of a rank run side by side, held together by {@link Await}s
 * alone.
 */
public record Lane(String name, List<Node> body) {
    public Lane {
        body = List.copyOf(body);
    }
}

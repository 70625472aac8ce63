package org.brigade.schedule;

import java.util.List;

/**
 * Steps that run strictly one after another. The lanes of a rank run concurrently; only {@link Await}s order their
 * steps.
 */
public record Lane(String name, List<Node> body) {
    public Lane {
        body = List.copyOf(body);
    }
}

package org.brigade.topology.profile;

import java.util.Objects;

/**
 * A path through one of several nodes, with the crossings that lead to and from it.
 *
 * @param head null if data begin here
 * @param tail null if they end here
 */
public record CrossedPath(Crossing head, Crossing tail, MeasuredPath path) {
    public CrossedPath {
        Objects.requireNonNull(path);
    }
}

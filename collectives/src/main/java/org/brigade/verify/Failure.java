package org.brigade.verify;

import org.brigade.schedule.Geometry;

/**
 * A wrong schedule, and its fault.
 *
 * @param geometry of the first rank
 * @param sizes the block sizes of the run, in words; empty if the schedule could not even be built
 * @param text the fault: rank, lane, step, block
 */
public record Failure(String algorithm, Geometry geometry, String sizes, int capacity, String text) {
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder();
        line.append(geometry.collective().key()).append('/').append(algorithm).append(", ").append(geometry.ranks())
            .append(" ranks");
        if (geometry.collective().rooted) {
            line.append(", root ").append(geometry.root());
        }
        if (geometry.inPlace()) {
            line.append(", in place");
        }
        line.append(", radix ").append(geometry.radix());
        String wires = geometry.wires().toString();
        if (!wires.isEmpty()) {
            line.append(", ").append(wires);
        }
        if (geometry.neighbours() != null) {
            line.append(", on a ").append(geometry.neighbours());
        }
        if (!sizes.isEmpty()) {
            line.append(", ").append(sizes).append(", channel capacity ").append(capacity);
        }
        return line.append(": ").append(text).toString();
    }
}

package org.brigade.schedule;

/**
 * A stretch of a role's bytes: {@code blocks} consecutive blocks from {@code first} on; inside a loop over windows,
 * where it is a single block, the current window of that block.
 *
 * @param area which of the areas of SCRATCH; 0 for the other roles
 */
public record Slice(Role role, int area, Index first, int blocks) {
    public Slice {
        if (blocks < 1 || area < 0 || (area > 0 && role != Role.SCRATCH)) {
            throw new IllegalArgumentException(role + " area " + area + ", " + blocks + " blocks");
        }
    }

    // Written out, as a record's own equals and hashCode cost a JVM 35 ms when first called, and schedules are built in
    // a job's first call.
    @Override
    public boolean equals(Object other) {
        return other instanceof Slice slice && role == slice.role && area == slice.area && blocks == slice.blocks
            && first.equals(slice.first);
    }

    @Override
    public int hashCode() {
        return ((role.ordinal() * 31 + area) * 31 + blocks) * 31 + first.hashCode();
    }

    @Override
    public String toString() {
        String name = role == Role.SCRATCH ? "SCRATCH" + area : role.name();
        return name + "[" + first + (blocks == 1 ? "]" : " +" + blocks + "]");
    }
}

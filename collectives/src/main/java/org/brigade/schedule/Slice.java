package org.brigade.schedule;

/**
 * A stretch of a role's bytes: {@code blocks} consecutive blocks from {@code first} on. Inside a loop over windows it
 * is a single block and stands for the current window of that block.
 *
 * @param area number of the area of SCRATCH; 0 for the other roles
 */
public record Slice(Role role, int area, Index first, int blocks) {
    public Slice {
        if (blocks < 1 || area < 0 || (area > 0 && role != Role.SCRATCH)) {
            throw new IllegalArgumentException(role + " area " + area + ", " + blocks + " blocks");
        }
    }

    // Written out: a record's own equals and hashCode cost a JVM 35 ms at their first call, and schedules are built in
    // a
    // job's first call.
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

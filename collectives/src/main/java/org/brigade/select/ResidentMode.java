package org.brigade.select;

/**
 * What the user wants of resident mode: {@code brigade.device.resident} and its settings. Small blocking collectives on
 * device memory, those that the table gives to {@code packets}, are then served by a kernel that stays on the GPU
 * between calls.
 *
 * @param on off unless asked for
 * @param idleNanos how long the kernel stays without a call
 * @param blocks thread blocks of the kernel, which all take part in larger calls
 * @param mostBytes of a block that goes from rank to rank; longer ones are launched
 * @param singleBytes up to which one thread block does a call alone
 */
public record ResidentMode(boolean on, long idleNanos, int blocks, int mostBytes, int singleBytes) {
    /** Every call has a launch of its own. */
    public static final ResidentMode OFF = new ResidentMode(false, 0, 0, 0, 0);

    private static final String KEY = "device.resident";

    /** @throws TuningException if a setting cannot be followed, naming it and what it may be */
    public static ResidentMode of(Settings settings) {
        return new ResidentMode("on".equals(settings.get(KEY)), settings.number(KEY + ".idle") * 1000,
            (int) settings.number(KEY + ".blocks"),
            (int) settings.number(KEY + ".bytes"), (int) settings.number(KEY + ".single"));
    }

    /** For people. */
    @Override
    public String toString() {
        return on ? "on: calls of up to " + mostBytes + " bytes, the kernel of " + blocks
            + " thread blocks leaves after " + idleNanos / 1000 + " us without one" : "off";
    }
}

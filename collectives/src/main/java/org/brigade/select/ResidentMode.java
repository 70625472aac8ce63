package org.brigade.select;

/**
 * The settings of resident mode: {@code brigade.device.resident} and others. Small blocking collectives on device
 * memory that the table gives to {@code packets} are then served by a kernel that stays on the GPU between calls.
 *
 * @param on off unless asked for
 * @param idleNanos how long the kernel stays without a call
 * @param blocks thread blocks of the kernel, which all take part in larger calls
 * @param mostBytes longest block from rank to rank; calls with longer blocks are launched
 * @param singleBytes longest block of a call that one thread block does alone
 */
public record ResidentMode(boolean on, long idleNanos, int blocks, int mostBytes, int singleBytes) {
    /** Every call is launched. */
    public static final ResidentMode OFF = new ResidentMode(false, 0, 0, 0, 0);

    private static final String KEY = "device.resident";

    /** @throws TuningException if a setting cannot be followed; names the setting and its possible values */
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

package org.brigade.topology.figure;

/**
 * The rate of transfers over some distance, if something besides the wires limits it.
 *
 * @param rate bytes/s; infinite if only the wires limit it
 * @param shared whether all transfers of this kind that start at one CPU's devices share it, like a root complex;
 * otherwise each transfer has its own
 */
public record Limit(double rate, boolean shared) {
    public static final Limit FREE = new Limit(Double.POSITIVE_INFINITY, false);

    public boolean free() {
        return Double.isInfinite(rate);
    }
}

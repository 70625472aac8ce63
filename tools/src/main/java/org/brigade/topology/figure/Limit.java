package org.brigade.topology.figure;

/**
 * What transfers over some distance can reach beyond what the wires give them.
 *
 * @param rate bytes/s; infinite if the wires alone decide
 * @param shared whether all transfers of this kind that start at one CPU's devices share it, as a root complex is
 * shared; otherwise it is each one's own
 */
public record Limit(double rate, boolean shared) {
    public static final Limit FREE = new Limit(Double.POSITIVE_INFINITY, false);

    public boolean free() {
        return Double.isInfinite(rate);
    }
}

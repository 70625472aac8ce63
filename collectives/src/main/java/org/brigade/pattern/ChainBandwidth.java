package org.brigade.pattern;

/**
 * What the wires carry when all ranks of a chain send to the next at once: what {@link ChainSearch} makes as large as
 * it can. Whoever knows the wires implements it, from a link graph's fair shares or from measured transfer sets.
 *
 * <p>
 * The same arguments give the same number, on every rank to the last bit. A longer chain is no faster than what it
 * begins with, but for the noise of measurements.
 */
public interface ChainBandwidth {
    /**
     * The rate of the slowest of the transfers from {@code ranks[from]} to {@code ranks[from + 1]} and so on to
     * {@code ranks[to - 1]}, all under way together.
     *
     * @return bytes/s; infinite if there is no transfer
     */
    double of(int[] ranks, int from, int to);
}

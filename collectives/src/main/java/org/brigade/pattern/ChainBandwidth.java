package org.brigade.pattern;

/**
 * The bandwidth of a chain when all its ranks send to the next at once; {@link ChainSearch} maximises it.
 * Implementations know the wires, from a link graph's fair shares or from measured sets of transfers.
 *
 * <p>
 * The same arguments give the same number on every rank, to the last bit. Extending a chain does not make it faster, up
 * to the noise of measurements.
 */
public interface ChainBandwidth {
    /**
     * The rate of the slowest of the transfers from {@code ranks[from]} to {@code ranks[from + 1]} and so on to
     * {@code ranks[to - 1]}, when all run together.
     *
     * @return bytes/s; infinite if there is no transfer
     */
    double of(int[] ranks, int from, int to);
}

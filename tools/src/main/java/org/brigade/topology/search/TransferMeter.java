package org.brigade.topology.search;

import org.brigade.topology.profile.Transfer;

/**
 * Says how fast transfers are that run at the same time. Real meters move data. Simulated ones share the links of a
 * described machine.
 *
 * <p>
 * A transfer more can only slow the others down: the search for paths relies on it, but for noise.
 */
public interface TransferMeter {
    /**
     * Bytes/s of the slowest transfer when all of a set begin together and move the same number of bytes.
     *
     * @param transfers one or more
     * @return more than 0
     */
    double bandwidth(TransferSet transfers);

    /** Whether a transfer can be at all, as one between nodes may not that ends in a GPU's memory. */
    default boolean possible(Transfer transfer) {
        return true;
    }
}

package org.brigade.topology.search;

import org.brigade.topology.profile.Transfer;

/**
 * Tells how fast simultaneous transfers are. There are three kinds: real meters move data, {@link RecordedTransfers}
 * remembers earlier measurements, and simulated meters share the links of a described machine.
 *
 * <p>
 * Another transfer can only slow the others down, except for noise: the search for paths relies on it.
 */
public interface TransferMeter {
    /**
     * Bytes/s of the slowest transfer when all of a set begin together and move the same number of bytes.
     *
     * @param transfers one or more
     * @return more than 0
     */
    double bandwidth(TransferSet transfers);

    /** Whether a transfer is possible; one between nodes that ends in a GPU's memory may not be. */
    default boolean possible(Transfer transfer) {
        return true;
    }
}

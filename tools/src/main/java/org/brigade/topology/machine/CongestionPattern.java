package org.brigade.topology.machine;

import java.util.List;

/**
 * A slowdown that no link's capacity explains: certain transfers at once are slower than their fair shares.
 *
 * <p>
 * Source: the cases that TCCL (Kim et al. 2024) lists; how much each costs is a figure of the machine.
 */
public interface CongestionPattern {
    /**
     * What a transfer can reach beside the others, fair shares apart. One more transfer never raises it.
     *
     * @param transfers simultaneous ones
     * @param index of the one that is asked about
     * @param alone bytes/s that it would have alone
     * @return bytes/s; {@code alone} or more if the pattern does not touch it
     */
    double most(Machine machine, List<Traffic> transfers, int index, double alone);
}

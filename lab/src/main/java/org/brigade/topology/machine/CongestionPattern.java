package org.brigade.topology.machine;

import java.util.List;

/**
 * A slowdown that no link's capacity explains: some simultaneous transfers are slower than their fair shares.
 *
 * <p>
 * Source: the cases that TCCL (Kim et al. 2024) lists. What each costs is a figure of the machine.
 */
public interface CongestionPattern {
    /**
     * The most that a transfer can reach beside the others, fair shares apart. Adding a transfer never raises it.
     *
     * @param transfers simultaneous ones
     * @param index of the transfer in question
     * @param alone bytes/s that it would reach alone
     * @return bytes/s; {@code alone} or more if the pattern does not apply
     */
    double most(Machine machine, List<Traffic> transfers, int index, double alone);
}

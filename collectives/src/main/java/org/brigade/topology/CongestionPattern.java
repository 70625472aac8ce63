package org.brigade.topology;

import java.util.List;

/**
 * A slowdown that no link's capacity explains: certain transfers at once are slower than their fair shares.
 *
 * <p>Source: the cases that 004 (TCCL) lists; how much each costs is a figure of the machine.
 */
public interface CongestionPattern {
    /** The part of its fair share that transfer {@code index} of a set of simultaneous ones gets: 1 if the pattern does not touch it, less but more than 0 if it does. */
    double factor(Locality locality, List<Traffic> transfers, int index);

    /** In words, with its figures, for tables and pictures. */
    String describe();
}

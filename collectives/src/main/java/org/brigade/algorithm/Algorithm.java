package org.brigade.algorithm;

import org.brigade.schedule.Collective;

/** A way to carry out one collective, with the name that the tuning table, properties and reports use. */
public sealed interface Algorithm permits ScheduledAlgorithm, FusedAlgorithm {
    /** Lower case words joined by '-', unique within the collective: {@code pipelined-chain}. */
    String name();

    Collective collective();

    /** What must hold for the algorithm to be right, apart from speed. */
    Restrictions restrictions();
}

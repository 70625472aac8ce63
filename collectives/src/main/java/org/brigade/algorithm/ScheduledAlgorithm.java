package org.brigade.algorithm;

import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * An algorithm written as a schedule: one text, which the engine runs, the verifier proves, the simulator times and the
 * printer shows.
 */
public non-sealed interface ScheduledAlgorithm extends Algorithm {
    /**
     * Writes the steps of rank {@code geometry.rank()}. Pure: the same geometry gives the same schedule on every rank.
     */
    void build(Geometry geometry, ScheduleBuilder schedule);

    @Override
    default <R> R open(Runners<R> runners) {
        return runners.schedule();
    }

    @Override
    default ScheduledAlgorithm schedule() {
        return this;
    }
}

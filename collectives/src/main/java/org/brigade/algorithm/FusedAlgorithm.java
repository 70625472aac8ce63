package org.brigade.algorithm;

import org.brigade.schedule.Collective;

/**
 * An algorithm written out as straight code where stepping through a schedule would be too slow: tiny messages in shared memory. It must do
 * what the schedule of {@link #meaning} does, and a differential test holds the two equal. The engine has the code, by this name.
 */
public record FusedAlgorithm(String name, ScheduledAlgorithm meaning, Restrictions restrictions) implements Algorithm {
    @Override
    public Collective collective() {
        return meaning.collective();
    }
}

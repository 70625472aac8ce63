package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * An algorithm written out as straight code where stepping through a schedule would be too slow, as for tiny messages in shared memory, or where no link between two ranks can do what it does, as multicast.
 * It must do what the schedule of {@link #meaning} does, and a differential test holds the two equal. The engine has the code. Calls that return at once run the schedule.
 */
public record FusedAlgorithm(String name, ScheduledAlgorithm meaning, Restrictions restrictions, WireUse wireUse, Execution execution) implements Algorithm {
    /** Whatever the wires. */
    public FusedAlgorithm(String name, ScheduledAlgorithm meaning, Restrictions restrictions) {
        this(name, meaning, restrictions, WireUse.NONE, Execution.FUSED);
    }

    @Override
    public ScheduledAlgorithm schedule() {
        return meaning;
    }

    @Override
    public Collective collective() {
        return meaning.collective();
    }
}

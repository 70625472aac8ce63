package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * An algorithm of device memory: one kernel launch or a few driver calls, which {@link org.brigade.schedule schedules} cannot say because peers read and write each other's memory. Its
 * result is that of the schedule of {@link #meaning}, for floating point up to the order that the kernel's text gives.
 *
 * @param meaning   a schedule with the same result; null for {@code staged}, which is whatever host memory would take
 * @param pipelined whether it goes by windows of a chunk
 * @param striped   whether it can send a share by way of the host
 */
public record DeviceAlgorithm(String name, Collective collective, ScheduledAlgorithm meaning, Restrictions restrictions, boolean pipelined, boolean striped)
    implements Algorithm {
    /** Whether the host's schedules carry it out. */
    public boolean staged() {
        return meaning == null;
    }

    @Override
    public Execution execution() {
        return staged() ? Execution.SCHEDULE : Execution.KERNEL;
    }

    @Override
    public ScheduledAlgorithm schedule() {
        return meaning;
    }

    @Override
    public boolean launched() {
        return !staged();
    }
}

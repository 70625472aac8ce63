package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * An algorithm of device memory: one kernel launch or a few driver calls, which {@link org.brigade.schedule schedules}
 * cannot say because peers read and write each other's memory. Its result is that of the schedule of {@link #meaning},
 * for floating point up to the order that the kernel's text gives.
 *
 * @param kernel what runs; null for what is staged, which is whatever host memory would take
 * @param meaning a schedule with the same result; null likewise
 * @param striped whether it can send a share by way of the host
 */
public record DeviceAlgorithm(DeviceKernel kernel, Collective collective, ScheduledAlgorithm meaning,
    Restrictions restrictions, boolean striped) implements Algorithm {
    /** Not run on the device: the host's schedules, over links that copy from and to it. Serves every call. */
    public static final String STAGED = "staged";

    /** From GPU to GPU by way of the host, as measured on H200s. */
    private static final double HOST_PER_BYTE = 1 / 45.0;

    /** The host's schedules, over links that copy from and to devices. Serves every call. */
    public static DeviceAlgorithm staged(Collective collective) {
        return new DeviceAlgorithm(null, collective, null, Restrictions.NONE, false);
    }

    @Override
    public String name() {
        return staged() ? STAGED : kernel.name();
    }

    @Override
    public boolean staged() {
        return kernel == null;
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

    @Override
    public boolean pipelined() {
        return !staged() && kernel.pipelined();
    }

    @Override
    public boolean resident() {
        return !staged() && kernel.resident();
    }

    @Override
    public double cost(CostModel model, PredictedCall call) {
        return staged() ? 2 * model.start() + HOST_PER_BYTE * DeviceKernel.exchanged(collective, call)
            : kernel.cost(model, collective, call);
    }
}

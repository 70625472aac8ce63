package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * An algorithm for device memory: one kernel launch or a few driver calls. {@link org.brigade.schedule Schedules}
 * cannot express it, because peers read and write each other's memory. Its result is that of the schedule
 * {@link #meaning}; for floating point, only the order of summation may differ.
 *
 * @param kernel the kernel that runs; null for {@code staged}, which runs the algorithms of host memory
 * @param meaning a schedule with the same result; null likewise
 * @param striped whether it can send a share of the bytes through host memory
 */
public record DeviceAlgorithm(DeviceKernel kernel, Collective collective, ScheduledAlgorithm meaning,
    Restrictions restrictions, boolean striped) implements Algorithm {
    /** Not run on the device: the host's schedules, over links that copy to and from it. Serves every call. */
    public static final String STAGED = "staged";

    /** From GPU to GPU through host memory, as measured on H200s. */
    private static final double HOST_PER_BYTE = 1 / 45.0;

    /** The algorithm {@link #STAGED} of a collective. */
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
    public <R> R open(Runners<R> runners) {
        return staged() ? runners.schedule() : runners.kernel();
    }

    @Override
    public ScheduledAlgorithm schedule() {
        return meaning;
    }

    /** Kernels reach the GPUs of one node. */
    @Override
    public WireUse wireUse() {
        return staged() ? WireUse.NONE : WireUse.ONE_NODE;
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

package org.brigade.simulate;

import org.brigade.schedule.FlatSchedule;

/**
 * The time of a call with many windows from two simulated ones with fewer: once a pipeline is full, every further
 * window takes the same time. Of calls with few windows, and of algorithms without, the simulated time itself.
 */
public final class SteadyState {
    /** Windows beside those that fill the pipeline. */
    private static final int SETTLING = 16;

    private final Simulator simulator;

    public SteadyState(Simulator simulator) {
        this.simulator = simulator;
    }

    /** Seconds of a call. */
    public double seconds(SimulatedCall call) {
        if (call.window() == 0) {
            return simulator.run(call).seconds();
        }
        int blocks = new FlatSchedule(call.schedule(0)).schedule.blocks();
        int windows = new CallSizes(call.algorithm().collective(), blocks, call.ranks(), call.bytes(), call.window())
            .windows();
        int hops = call.algorithm().hops(call.ranks(), call.wires());
        int few = SETTLING + (hops == 0 ? call.ranks() : Math.min(hops, 2 * call.ranks()));
        if (windows <= 3 * few) {
            return simulator.run(call).seconds();
        }
        double once = seconds(call, few, blocks);
        double twice = seconds(call, 2 * few, blocks);
        return twice + (twice - once) * (windows - 2 * few) / few;
    }

    private double seconds(SimulatedCall call, int windows, int blocks) {
        return simulator.run(new SimulatedCall(call.algorithm(), call.ranks(), call.root(),
            windows * (long) blocks * call.window(), call.chunk(), call.radix(), call.wires())).seconds();
    }
}

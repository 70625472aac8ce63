package org.brigade.cli.shared;

import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.simulate.CodeSimulator;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulation;
import org.brigade.simulate.Simulator;
import org.brigade.simulate.flow.Trace;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.verify.straight.CodeRecorder;
import org.brigade.verify.straight.StraightSuite;

/**
 * An algorithm's call, as the simulator times it: by its schedule, or by the operations of its straight-line code.
 *
 * @param bytes as {@link SimulatedCall} counts them, as the next two
 */
public record TimedAlgorithm(Algorithm algorithm, int ranks, int root, long bytes, long chunk, int radix,
    CommunicatorTopology wires) {
    /**
     * Why the simulator cannot time an algorithm on these wires; null if it can.
     */
    public static String untimed(Algorithm algorithm, int ranks, RoutingModel wiring) {
        if (algorithm == algorithm.schedule() || sendsOnly(algorithm)) {
            return null;
        }
        return !StraightSuite.isVerified(algorithm) ? "has neither a schedule nor code that the simulator could time"
            : wiring.memory(ranks) == null
                ? "works in memory that ranks share, and nothing was measured of that there, or the ranks are on several"
                    + " nodes; name ideal:RANKS or host-2core, or a machine file with lines shared-memory"
                : null;
    }

    /** Whether an algorithm is straight-line code that sends the messages of its schedule, as tests show. */
    private static boolean sendsOnly(Algorithm algorithm) {
        return StraightSuite.isVerified(algorithm) && algorithm.wireUse() == WireUse.NONE;
    }

    /** Whether the schedule of a fused algorithm is simulated in its place: its messages cross these wires. */
    public boolean byMessages(RoutingModel wiring) {
        return sendsOnly(algorithm) && wiring.memory(ranks) == null;
    }

    /** The call of the schedule. */
    public SimulatedCall scheduled() {
        return new SimulatedCall(algorithm.schedule(), ranks, root, bytes, chunk, radix, wires);
    }

    /** The approximate number of messages that the simulator follows; of code none. */
    public double roughMessages() {
        return algorithm == algorithm.schedule() ? scheduled().roughMessages() : 0;
    }

    /**
     * Times the call.
     *
     * @param eager as {@link Simulator#eager}
     * @param trace null for none
     * @throws IllegalArgumentException if it cannot be simulated there
     */
    public Simulation run(RoutingModel wiring, long eager, Trace trace) {
        String why = untimed(algorithm, ranks, wiring);
        if (why != null) {
            throw new IllegalArgumentException(algorithm + " " + why);
        }
        return algorithm == algorithm.schedule() || byMessages(wiring)
            ? new Simulator(wiring).eager(eager).trace(trace).run(scheduled())
            : CodeSimulator.run(wiring, CodeRecorder.of(algorithm, ranks, root, bytes), trace);
    }
}

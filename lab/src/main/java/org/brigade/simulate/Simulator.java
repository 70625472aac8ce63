package org.brigade.simulate;

import java.util.Arrays;
import org.brigade.schedule.FlatSchedule;
import org.brigade.simulate.flow.EventQueue;
import org.brigade.simulate.flow.FlowNetwork;
import org.brigade.simulate.flow.Trace;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * Runs the schedules of a call on a machine of which only the wiring is known. Discrete events: the same call on the
 * same wiring gives the same result, bit for bit.
 *
 * <p>
 * The lanes of a rank run concurrently, the steps of a lane one after another. A message begins to move when its SEND
 * has been reached, the sender's start-up has passed, and the RECV has been reached; it does not wait for the RECV if
 * it fits the credit ({@link #eager}). The SEND ends when the last byte has left, the RECV when it has arrived. Data
 * reduced on arrival moves at the slower of the two rates; data that arrived before its RECV_REDUCE is reduced then.
 * Messages without bytes are signals: start-up and latency; slices without bytes are not sent at all.
 *
 * <p>
 * All events of one picosecond are processed before new rates are found.
 */
public final class Simulator {
    private final RoutingModel wiring;
    private long credit;
    private Trace trace;

    public Simulator(RoutingModel wiring) {
        this.wiring = wiring;
    }

    /**
     * Sets the bytes that a rank may send to another before the other begins to receive them. The default is 0: every
     * message waits for its receiver.
     */
    public Simulator eager(long bytes) {
        credit = bytes;
        return this;
    }

    /** Sets the listener for the use of resources; the default is null: none. */
    public Simulator trace(Trace listener) {
        trace = listener;
        return this;
    }

    /** @throws IllegalArgumentException if the call is too large for the machine, or for the clock */
    public Simulation run(SimulatedCall call) {
        if (call.ranks() > wiring.ranks()) {
            throw new IllegalArgumentException(call + ": the machine has places for " + wiring.ranks()
                + " only; simulate fewer ranks or a larger machine");
        }
        FlatSchedule[] programs = new FlatSchedule[call.ranks()];
        CallSizes[] sizes = new CallSizes[programs.length];
        for (int rank = 0; rank < programs.length; rank++) {
            programs[rank] = new FlatSchedule(call.schedule(rank));
            int blocks = programs[rank].schedule.blocks();
            sizes[rank] = rank > 0 && sizes[rank - 1].serves(blocks) ? sizes[rank - 1]
                : new CallSizes(call.algorithm().collective(), blocks, programs.length, call.bytes(), call.window());
        }
        EventQueue queue = new EventQueue();
        FlowNetwork network = new FlowNetwork(wiring, queue, trace);
        Ranks ranks = new Ranks(programs, sizes);
        Messages messages = new Messages(wiring, call.followed(), ranks, network, queue, credit);
        for (int rank = 0; rank < programs.length; rank++) {
            ranks.wake(rank);
        }
        long now = 0;
        ranks.advance(messages, now);
        network.settle(now);
        while (!queue.isEmpty()) {
            now = queue.time();
            do {
                messages.happen(queue.take(), now);
            } while (!queue.isEmpty() && queue.time() == now);
            ranks.advance(messages, now);
            network.settle(now);
        }
        String stuck = ranks.stuck();
        if (stuck != null) {
            throw new IllegalStateException(
                call + ": deadlock: " + stuck + "; brigade verify shows what is wrong with the schedule");
        }
        return new Simulation(wiring, ranks.finished(), messages.count(),
            Arrays.copyOf(network.carried(), wiring.resources()), network.busy());
    }
}

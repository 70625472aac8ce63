package org.brigade.simulate;

import org.brigade.simulate.flow.Clock;
import org.brigade.simulate.wiring.RoutingModel;

/** The result of a simulated call. */
public final class Simulation {
    private final RoutingModel wiring;
    private final long[] finished;
    private final long end;
    private final long messages;
    private final double[] carried;
    private final long[] busy;

    Simulation(RoutingModel wiring, long[] finished, long messages, double[] carried, long[] busy) {
        this.wiring = wiring;
        this.finished = finished;
        this.messages = messages;
        this.carried = carried;
        this.busy = busy;
        long last = 0;
        for (long time : finished) {
            last = Math.max(last, time);
        }
        end = last;
    }

    /** When the last rank has finished. */
    public double seconds() {
        return Clock.seconds(end);
    }

    /** When a rank has finished. */
    public double seconds(int rank) {
        return Clock.seconds(finished[rank]);
    }

    public int ranks() {
        return finished.length;
    }

    /** Number of messages between ranks, signals included. */
    public long messages() {
        return messages;
    }

    /** Bytes of a resource's capacity that were used: for a wire, the bytes it carried. */
    public double carried(int resource) {
        return carried[resource];
    }

    /** Seconds during which at least one transfer used a resource. */
    public double busySeconds(int resource) {
        return Clock.seconds(busy[resource]);
    }

    /** Used share of a resource's capacity from start to end, 0 to 1. */
    public double share(int resource) {
        return end == 0 ? 0 : carried[resource] / (wiring.capacity(resource) * seconds());
    }

    /** The most used resources, the most used first; of equals the lower number first. Unused ones are left out. */
    public int[] busiest(int most) {
        int[] top = new int[Math.min(most, carried.length)];
        int count = 0;
        for (int resource = 0; resource < carried.length; resource++) {
            if (carried[resource] == 0 || count == top.length && share(resource) <= share(top[count - 1])) {
                continue;
            }
            int place = count < top.length ? count++ : count - 1;
            for (; place > 0 && share(top[place - 1]) < share(resource); place--) {
                top[place] = top[place - 1];
            }
            top[place] = resource;
        }
        return java.util.Arrays.copyOf(top, count);
    }
}

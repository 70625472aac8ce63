package org.brigade.simulate;

import mpi.spi.Collective;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Order;
import org.brigade.schedule.FlatSchedule;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.Schedule;
import org.brigade.schedule.ScheduleBuilder;

/**
 * One call of a collective; all ranks start at the same time.
 *
 * @param bytes the vector of bcast, reduce, allreduce and the scans; one rank's block of gather, scatter, allgather and
 * alltoall; the whole of allgatherv's result and reduce-scatter's input; one message of alltoallv, gatherv and scatterv
 * @param chunk bytes of a window, for algorithms that are pipelined; 0: one window
 * @param radix branching of trees, or leaders of a group, 2 or more
 * @param wires what algorithms know of the wires between the ranks
 */
public record SimulatedCall(ScheduledAlgorithm algorithm, int ranks, int root, long bytes, long chunk, int radix,
    CommunicatorTopology wires) {
    public SimulatedCall {
        if (ranks < 1 || root < 0 || root >= ranks || bytes < 0 || chunk < 0 || radix < 2) {
            throw new IllegalArgumentException(
                ranks + " ranks, root " + root + ", " + bytes + " bytes, chunk " + chunk + ", radix " + radix
                    + ": a call needs a rank, a root below the ranks, sizes of 0 or more and a radix of 2 or more");
        }
    }

    /** A call with unknown wires. */
    public SimulatedCall(ScheduledAlgorithm algorithm, int ranks, int root, long bytes, long chunk, int radix) {
        this(algorithm, ranks, root, bytes, chunk, radix, CommunicatorTopology.NONE);
    }

    /** A call with root 0. */
    public SimulatedCall(ScheduledAlgorithm algorithm, int ranks, long bytes, long chunk, int radix) {
        this(algorithm, ranks, 0, bytes, chunk, radix);
    }

    /** The order whose paths messages take; null if there is none. */
    Order followed() {
        return algorithm.wireUse().followed(wires, root, ranks);
    }

    Schedule schedule(int rank) {
        Geometry geometry = new Geometry(algorithm.collective(), ranks, rank, algorithm.collective().rooted ? root : 0,
            false, radix, wires);
        ScheduleBuilder builder = new ScheduleBuilder(algorithm.name(), geometry);
        algorithm.build(geometry, builder);
        return builder.finish();
    }

    /**
     * Bytes that the busiest link of the best algorithm carries, to compare different numbers of ranks: divided by the
     * time, it is the bus bandwidth. The vector of bcast, reduce and the scans; twice (n - 1)/n of allreduce's; of the
     * others (n - 1)/n of all blocks, or on a ring both.
     */
    public static double busBytes(Collective collective, int ranks, long bytes) {
        double others = (ranks - 1.0) / ranks;
        return switch (collective.counts) {
            case VECTOR -> switch (collective) {
                case BARRIER -> 0;
                case ALLREDUCE -> 2 * others * bytes;
                default -> bytes;
            };
            case SHARED -> others * bytes;
            case EQUAL, LOCAL ->
                collective.amongNeighbours() ? 2.0 * bytes : others * ranks * (double) bytes;
        };
    }

    /**
     * The approximate number of messages, from those of the root and of the rank farthest from it, which stands for all
     * others. Only the order of magnitude is right, but it is fast.
     */
    public double roughMessages() {
        return ends(root) + (ranks - 1) * ends((root + ranks / 2) % ranks) / 2;
    }

    /** Number of message ends on a rank. */
    private double ends(int rank) {
        FlatSchedule flat = new FlatSchedule(schedule(rank));
        int windows = new CallSizes(algorithm.collective(), flat.schedule.blocks(), ranks, bytes, window()).windows();
        double sum = 0;
        for (int step = 0; step < flat.steps.length; step++) {
            sum += flat.peers[step] == null ? 0 : flat.runs(step, windows);
        }
        return sum;
    }

    long window() {
        return algorithm.pipelined() ? chunk : 0;
    }

    @Override
    public String toString() {
        return algorithm.collective().key() + "/" + algorithm.name() + " of " + bytes + " bytes on " + ranks
            + (ranks == 1 ? " rank" : " ranks");
    }
}

package org.brigade.simulate.wiring;

import org.brigade.pattern.Way;
import org.brigade.pattern.Wires;

/**
 * What the simulator knows of a machine: resources that transfers share, and which of them a message between two ranks
 * takes. Deterministic: the same arguments give the same route. A full-duplex link is two resources, a half-duplex one
 * is one that both directions use.
 */
public interface RoutingModel {
    /** Most ranks that can be placed on it. */
    int ranks();

    /** Number of resources. */
    int resources();

    /** Bytes/s of a resource. */
    double capacity(int resource);

    /** A resource in words, for pictures and errors: {@code node0/gpu1 > node0/plx0}. */
    String name(int resource);

    /** The way of a message; the two ranks differ. */
    Route route(int from, int to, long bytes);

    /** The same by a way that was measured, where the wiring tells ways apart. */
    default Route route(int from, int to, long bytes, Way way) {
        return route(from, to, bytes);
    }

    /**
     * How a rank combines {@code bytes} that it has, with what has arrived or lies beside: resources, and a rate, of
     * the reduction. A message that is reduced as it arrives takes this beside its own way, at the slower of the two
     * rates; start-up and latency come behind its last byte.
     */
    default Route reduction(int rank, long bytes) {
        return Route.FREE;
    }

    /** How a rank copies bytes within its own memory. */
    default Route copy(int rank, long bytes) {
        return Route.FREE;
    }

    /**
     * Most transfers through a resource at once that do not disturb each other beyond sharing it: some memories serve a
     * few devices well and many badly. One of weight 2, which writes there and reads again, counts as two.
     */
    default int crowd(int resource) {
        return Integer.MAX_VALUE;
    }

    /**
     * What is left of the capacity of a resource that more than {@link #crowd} transfers use: more than 0, at most 1.
     */
    default double crowdFactor(int resource) {
        return 1;
    }

    /**
     * How the network reduces what some ranks send it, and sends them the sum: all that moves, as one flow. Its
     * start-up begins when the last of them has sent; its latency is up the tree and down. Null where the network does
     * not reduce.
     *
     * @param masters ascending
     */
    default Route aggregation(int[] masters, long bytes) {
        return null;
    }

    /**
     * What the algorithms that follow wires are told of these, for the first {@code ranks} ranks; nothing, where all
     * are alike.
     *
     * @param bytes of a message, by which ways may be chosen
     */
    default Wires wires(int ranks, long bytes) {
        return Wires.NONE;
    }
}

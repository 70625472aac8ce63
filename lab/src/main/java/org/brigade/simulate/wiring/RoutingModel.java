package org.brigade.simulate.wiring;

import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.TransferRoute;

/**
 * What the simulator knows of a machine: resources that transfers share, and the resources that a message between two
 * ranks uses. Deterministic: the same arguments give the same route. A full-duplex link is two resources, a half-duplex
 * link is one that both directions use.
 */
public interface RoutingModel {
    /** Most ranks that fit on it. */
    int ranks();

    /** Number of resources. */
    int resources();

    /** Bytes/s of a resource. */
    double capacity(int resource);

    /** A resource in words, for pictures and errors: {@code node0/gpu1 > node0/plx0}. */
    String name(int resource);

    /** The route of a message; the two ranks differ. */
    Route route(int from, int to, long bytes);

    /** The same by a measured path, if the wiring distinguishes paths. */
    default Route route(int from, int to, long bytes, TransferRoute way) {
        return route(from, to, bytes);
    }

    /**
     * How a rank combines {@code bytes} with others that have arrived or lie beside them: resources and rate of the
     * reduction. A message reduced on arrival takes this beside its own route, at the slower of the two rates; start-up
     * and latency follow its last byte.
     */
    default Route reduction(int rank, long bytes) {
        return Route.FREE;
    }

    /** How a rank copies bytes within its own memory. */
    default Route copy(int rank, long bytes) {
        return Route.FREE;
    }

    /**
     * The most simultaneous transfers through a resource that only share it; with more, the resource loses capacity, as
     * some memories do. A transfer of weight 2, which writes there and reads again, counts as two.
     */
    default int crowd(int resource) {
        return Integer.MAX_VALUE;
    }

    /**
     * The remaining share of a resource's capacity when more than {@link #crowd} transfers use it: more than 0, at most
     * 1.
     */
    default double crowdFactor(int resource) {
        return 1;
    }

    /**
     * How the network reduces the data of some ranks and sends them the sum: all traffic as one flow. Its start-up
     * begins when the last rank has sent; its latency is up the tree and down. Null if the network does not reduce.
     *
     * @param masters ascending
     * @param rail which of the networks does it
     */
    default Route aggregation(int[] masters, int rail, long bytes) {
        return null;
    }

    /**
     * What algorithms know of these wires, for the first {@code ranks} ranks; nothing if all wires are alike.
     *
     * @param bytes of a message, which may influence paths
     */
    default CommunicatorTopology wires(int ranks, long bytes) {
        return CommunicatorTopology.NONE;
    }

    /**
     * How straight-line code works in memory that the first {@code ranks} ranks share; null if they are on several
     * nodes, or that was not measured.
     */
    default MemoryModel memory(int ranks) {
        return null;
    }

    /** On how many hosts the first {@code ranks} ranks are. */
    default int nodes(int ranks) {
        return 1;
    }
}

package org.brigade.simulate;

/**
 * What the simulator knows of a machine: resources that transfers share, and which of them a message between two ranks takes. Deterministic: the same arguments give the
 * same route. A full-duplex link is two resources, a half-duplex one is one that both directions use.
 */
public interface Wiring {
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

    /** How a rank combines {@code bytes} that it has, with what has arrived or lies beside: resources, and a rate, of the reduction. */
    Route reduction(int rank, long bytes);

    /** How a rank copies bytes within its own memory. */
    Route copy(int rank, long bytes);
}

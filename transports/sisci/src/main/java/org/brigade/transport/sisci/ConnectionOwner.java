package org.brigade.transport.sisci;

/** The end that a connection serves, and the peer's address. */
interface ConnectionOwner {
    int rank();

    long job();

    int nodeOf(int peer);

    int interruptOf(int peer);

    /** A way of DMA does not work between this node and a peer's. */
    void dmaFound(int peer, int ways);

    /**
     * It is known whether DMA sends device memory to a peer.
     *
     * @param why it does not; null if it does
     */
    void deviceFound(int peer, String why);

    /** A peer's DMA does not write into some kind of this rank's memory. */
    void cannotBeWritten(int peer, String memory, String why);
}

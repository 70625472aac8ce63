package org.brigade.window;

/**
 * A way to the windows' own buffers of other ranks of this node, on the host or on devices. Each rank tells the others
 * some words about its buffer. Whoever gets them finds out whether this process can copy to and from that buffer.
 */
interface PeerReach {
    /** How many words each rank tells. */
    int words();

    /** What this rank tells the others. */
    long[] told();

    /**
     * A rank's buffer: mapped here as a direct ByteBuffer, or a {@link mpi.spi.DeviceBuffer} that can be copied to and
     * from.
     *
     * @param words what that rank has told
     * @param bytes of its memory in the window
     * @return null if this process cannot reach it
     */
    Object find(long[] words, long bytes);

    /** Ends the use of what was found; once, and by the only thread that accesses the window. */
    void close();
}

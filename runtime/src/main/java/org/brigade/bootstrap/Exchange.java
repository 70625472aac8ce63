package org.brigade.bootstrap;

/**
 * How all ranks of a job exchange bytes before there are links between them: what they need to find each other, on any
 * nodes. All ranks make the same calls in the same order, each with one thread. An exchange that can see processes also
 * reports dead ones as long as the job runs.
 */
public interface Exchange extends AutoCloseable {
    /**
     * Gives every rank the bytes of all ranks; returns once all have them.
     *
     * @param mine any number of bytes, not the same for all ranks; a few KiB at most
     * @return by rank, this rank's own among them
     * @throws mpi.MPIException if a rank ends or is late; names the rank
     */
    byte[][] allgather(byte[] mine);

    /** Returns once all ranks have called it. */
    default void barrier() {
        allgather(new byte[0]);
    }

    /**
     * Whether the process of a rank is gone. Any thread may call it; it is cheap enough to ask of a few ranks every few
     * milliseconds.
     *
     * @return a sentence that names the rank ("rank 3 (pid 4711) died"); null if it runs, or if this node cannot tell
     */
    String lost(int rank);

    /**
     * Tells that this rank's process ends soon without having been killed. {@link #lost} of the others says so then, or
     * nothing if the rank has finalized.
     */
    default void ends(boolean finalized) {
    }

    /** Releases all resources. Never throws. */
    @Override
    void close();
}

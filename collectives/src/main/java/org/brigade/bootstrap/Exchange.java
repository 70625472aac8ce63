package org.brigade.bootstrap;

/**
 * How all ranks of a job exchange bytes before there are links between them: what they need to find each other, on
 * whatever nodes they are. All ranks make the same calls in the same order, each with one thread. Where it stands on
 * something that knows of processes, it tells of those that are gone as long as the job runs.
 */
public interface Exchange extends AutoCloseable {
    /**
     * Gives every rank what each has brought; returns once all have.
     *
     * @param mine any number of bytes, not the same for all ranks; a few KiB at most
     * @return by rank, this rank's own among them
     * @throws mpi.MPIException if a rank ends or does not come in time, naming it
     */
    byte[][] allgather(byte[] mine);

    /** Returns once all ranks have called it. */
    default void barrier() {
        allgather(new byte[0]);
    }

    /**
     * Whether the process of a rank of the job is gone. Any thread; cheap enough for a few ranks every few
     * milliseconds.
     *
     * @return a sentence that names the rank ("rank 3 (pid 4711) died"); null if it runs, or if that cannot be seen
     * from here
     */
    String lost(int rank);

    /** Lets go of everything. Never throws. */
    @Override
    void close();
}

package org.brigade.transport.cuda.copy;

/** Marks behind the copies of one stream. All calls but {@link #running} need the GPU's context current. */
interface CopyMarks {
    /**
     * Puts a mark behind all that was begun in the stream.
     *
     * @throws mpi.MPIException if the driver refuses
     */
    void put();

    /**
     * Number of marks that the stream has not reached.
     *
     * @throws mpi.MPIException if the device has failed; then all marks are forgotten
     */
    int running();

    /** Forgets all marks: the stream has reached them, or never will. */
    void forget();

    /** The stream has reached all marks. Never throws. */
    void close();
}

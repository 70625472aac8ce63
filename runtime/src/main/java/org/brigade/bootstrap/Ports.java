package org.brigade.bootstrap;

import mpi.spi.PortNames;

/**
 * Where processes of one user that are in different jobs find each other: ports, the names under which ports are
 * published, and the launcher's door. A process leaves a letter at a port and waits for the answer. Letters are a few
 * KiB.
 *
 * <p>
 * Parameter {@code call} of all methods is the call and rank for messages: {@code connect on rank 0 of 2 in
 * MPI_COMM_WORLD}. Nothing here blocks. Any thread.
 */
public interface Ports extends PortNames {
    /** A letter that this process has left, and has no answer to. */
    interface Visit {
        /**
         * The answer; null if there is none yet.
         *
         * @throws mpi.MPIException ERR_PORT if the port has been closed, or its process has ended
         */
        byte[] answer();

        /** Takes the letter back, if nobody has read it. No more is called after that. */
        void end();
    }

    /** A letter that somebody has left at a port of this process. */
    interface Arrival {
        byte[] letter();

        /** Answers; false if the visitor has gone meanwhile. Called once at most. */
        boolean answer(byte[] words);
    }

    /**
     * Leaves a letter at a port.
     *
     * @throws mpi.MPIException ERR_PORT if there is no such port, or its process has ended
     */
    Visit visit(String call, String port, byte[] letter);

    /**
     * The next letter at a port; null if there is none.
     *
     * @throws mpi.MPIException ERR_PORT if the port is not open
     */
    Arrival next(String call, String port);

    /**
     * Asks a launcher to start processes: that of this job, or one that this process starts beside itself.
     *
     * @throws mpi.MPIException ERR_SPAWN if the launcher cannot be asked
     */
    void askLauncher(String call, byte[] letter);

    /** @throws mpi.MPIException ERR_SPAWN if the launcher that was asked has ended */
    void requireLauncher(String call);

    /** Closes all ports of this process, and takes its names back. Never throws. */
    void closeAll();

    /** This process has finalized. A launcher that it has started gets no more requests. */
    void finished();
}

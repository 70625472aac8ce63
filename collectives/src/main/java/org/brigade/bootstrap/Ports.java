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
     * Asks the launcher of this job to start processes.
     *
     * @throws mpi.MPIException ERR_SPAWN if this launcher cannot; names one that can
     */
    void askLauncher(String call, byte[] letter);

    /** Whether {@link #askLauncher} can work. */
    boolean hasLauncher();

    /** Closes all ports of this process, and takes its names back. Never throws. */
    void closeAll();
}

package org.brigade.jmh;

import mpi.MPI;
import mpi.MPIException;

/**
 * How the ranks that do not measure are told what to do. Rank 0 broadcasts before every iteration:
 *
 * <pre>
 *   0             4            8            12
 *   +-------------+------------+------------+
 *   | operation   | bytes      | direct 0/1 |     operation: 0 the end, 1 bcast, 2 allreduce
 *   +-------------+------------+------------+
 * </pre>
 */
final class Followers {
    private static final int END = 0;
    private static final int BCAST = 1;
    private static final int ALLREDUCE = 2;

    private Followers() {
    }

    /** On rank 0: begins an iteration everywhere; returns this rank's part of it. */
    static Payload begin(boolean bcast, int bytes, boolean direct) throws MPIException {
        MPI.COMM_WORLD.bcast(new int[] {bcast ? BCAST : ALLREDUCE, bytes, direct ? 1 : 0}, 3, MPI.INT, 0);
        return new Payload(bcast, bytes, direct);
    }

    /** On rank 0: lets the followers go. */
    static void end() throws MPIException {
        MPI.COMM_WORLD.bcast(new int[] {END, 0, 0}, 3, MPI.INT, 0);
    }

    /** On all other ranks: takes part in iterations until the end. */
    static void follow() throws MPIException {
        int[] command = new int[3];
        for (;;) {
            MPI.COMM_WORLD.bcast(command, 3, MPI.INT, 0);
            if (command[0] == END) {
                return;
            }
            Payload payload = new Payload(command[0] == BCAST, command[1], command[2] == 1);
            do {
                payload.run();
            } while (!payload.isStopped());
        }
    }
}

package org.brigade.jmh;

import mpi.MPI;
import mpi.MPIException;

/**
 * How the ranks that do not measure are told what to do. Rank 0 broadcasts before every iteration:
 *
 * <pre>
 *   0             4            8            12
 *   +-------------+------------+------------+
 *   | operation   | bytes      | direct 0/1 |     operation: 0 the end, 1 bcast, 2 allreduce,
 *   +-------------+------------+------------+     3 the start of a persistent allreduce, and its wait
 * </pre>
 */
final class Followers {
    private static final int END = 0;
    static final int BCAST = 1;
    static final int ALLREDUCE = 2;
    static final int START_ALLREDUCE = 3;

    private Followers() {
    }

    /** On rank 0: begins an iteration with this payload everywhere. */
    static void begin(Payload payload) throws MPIException {
        payload.clear();
        MPI.COMM_WORLD.bcast(new int[] {payload.operation(), payload.bytes(), payload.isDirect() ? 1 : 0}, 3, MPI.INT,
            0);
    }

    /** On rank 0: lets the followers go. */
    static void end() throws MPIException {
        MPI.COMM_WORLD.bcast(new int[] {END, 0, 0}, 3, MPI.INT, 0);
    }

    /** On all other ranks: takes part in iterations until the end. */
    static void follow() throws MPIException {
        int[] command = new int[3];
        Payload payload = null;
        for (;;) {
            MPI.COMM_WORLD.bcast(command, 3, MPI.INT, 0);
            if (command[0] == END) {
                return;
            }
            boolean direct = command[2] == 1;
            if (payload == null || payload.operation() != command[0] || payload.bytes() != command[1]
                || payload.isDirect() != direct) {
                payload = new Payload(command[0], command[1], direct);
            }
            payload.clear();
            do {
                payload.run();
            } while (!payload.isStopped());
        }
    }
}

package org.brigade.examples.patterns.camel;

import mpi.MPI;
import mpi.MPIException;
import mpi.Status;

/**
 * Rank 0 hands out tasks: each worker gets one, and another when it has answered, so that fast workers do more. The tag
 * says what a message is. Needs two ranks or more.
 */
public final class MasterWorker {
    private static final int TASKS = 20;
    private static final int TASK = 1;
    private static final int RESULT = 2;
    private static final int STOP = 3;

    private MasterWorker() {
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        run();
        MPI.Finalize();
    }

    static void run() throws MPIException {
        int size = MPI.COMM_WORLD.getSize();
        if (size < 2) {
            throw new IllegalStateException("a master without workers: start 2 ranks or more");
        }
        if (MPI.COMM_WORLD.getRank() == 0) {
            master(size - 1);
        } else {
            work();
        }
    }

    private static void master(int workers) throws MPIException {
        int[] message = new int[1];
        int given = 0;
        int sum = 0;
        for (int worker = 1; worker <= workers; worker++) {
            message[0] = ++given;
            MPI.COMM_WORLD.send(message, 1, MPI.INT, worker, given <= TASKS ? TASK : STOP);
        }
        for (int answered = 0; answered < TASKS; answered++) {
            Status status = MPI.COMM_WORLD.recv(message, 1, MPI.INT, MPI.ANY_SOURCE, RESULT);
            sum += message[0];
            message[0] = ++given;
            MPI.COMM_WORLD.send(message, 1, MPI.INT, status.getSource(), given <= TASKS ? TASK : STOP);
        }
        System.out.println("MasterWorker: the squares of the tasks add up to " + sum);
    }

    private static void work() throws MPIException {
        int[] message = new int[1];
        while (MPI.COMM_WORLD.recv(message, 1, MPI.INT, 0, MPI.ANY_TAG).getTag() == TASK) {
            message[0] *= message[0];
            MPI.COMM_WORLD.send(message, 1, MPI.INT, 0, RESULT);
        }
    }
}

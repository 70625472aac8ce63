package org.brigade.cli.shared;

import java.io.IOException;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** What all ranks of a command that a launcher started must have. */
public final class AllRanks {
    /** A rank's part of a command. */
    public interface Task {
        void run() throws MPIException, IOException;
    }

    /** Another rank throws what is wrong. */
    private static final class SaidByAnother extends RuntimeException {
        private static final long serialVersionUID = 1;

        SaidByAnother() {
            super(null, null, false, false);
        }
    }

    private AllRanks() {
    }

    /**
     * Runs the task, which may ask {@link #require}.
     *
     * @return whether all went well; else another rank throws and says why
     */
    public static boolean run(Task task) throws MPIException, IOException {
        try {
            task.run();
            return true;
        } catch (SaidByAnother e) {
            return false;
        }
    }

    /**
     * Collective, within {@link #run}. If some rank says {@code false}, all ranks end MPI, and the first such rank
     * alone throws what it says, so that a user reads it once.
     *
     * @param what {@code %d} becomes the rank
     * @throws BenchException on the first rank that says {@code false}
     */
    public static void require(boolean well, String what) throws MPIException {
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        int[] first = new int[1];
        world.allReduce(new int[] {well ? Integer.MAX_VALUE : rank}, first, 1, MPI.INT, MPI.MIN);
        if (first[0] != Integer.MAX_VALUE) {
            MPI.Finalize();
            if (first[0] != rank) {
                throw new SaidByAnother();
            }
            throw new BenchException(what.replace("%d", Integer.toString(rank)));
        }
    }
}

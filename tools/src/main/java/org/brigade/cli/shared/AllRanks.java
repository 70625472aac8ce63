package org.brigade.cli.shared;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** What all ranks of a command that a launcher started must have. */
public final class AllRanks {
    private AllRanks() {
    }

    /**
     * Collective. All ranks end MPI and throw what the first of them with {@code false} says.
     *
     * @param what {@code %d} becomes its rank
     * @throws BenchException if some rank says {@code false}
     */
    public static void require(boolean well, String what) throws MPIException {
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        int[] first = new int[1];
        world.allReduce(new int[] {well ? Integer.MAX_VALUE : rank}, first, 1, MPI.INT, MPI.MIN);
        if (first[0] != Integer.MAX_VALUE) {
            byte[] text = what.replace("%d", Integer.toString(rank)).getBytes(StandardCharsets.UTF_8);
            int[] length = {text.length};
            world.bcast(length, 1, MPI.INT, first[0]);
            byte[] said = Arrays.copyOf(text, length[0]);
            world.bcast(said, length[0], MPI.BYTE, first[0]);
            MPI.Finalize();
            throw new BenchException(new String(said, StandardCharsets.UTF_8));
        }
    }
}

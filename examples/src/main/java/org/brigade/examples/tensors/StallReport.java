package org.brigade.examples.tensors;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** Says which ranks have not submitted a tensor that others have submitted long ago. */
final class StallReport {
    private StallReport() {
    }

    /**
     * Prints at rank 0. Called on all ranks together.
     *
     * @param waited by number of tensor, how many ms ago this rank has submitted it; -1: it has not
     * @param patience ms after which a tensor is reported
     */
    static void print(Intracomm comm, TensorTable table, int[] waited, long patience) throws MPIException {
        int ranks = comm.getSize();
        int[] all = new int[comm.getRank() == 0 ? ranks * waited.length : 0];
        comm.gather(waited, waited.length, MPI.INT, all, waited.length, MPI.INT, 0);
        if (comm.getRank() == 0) {
            String tensors = lines(table, ranks, all, patience);
            if (!tensors.isEmpty()) {
                System.err.println("Tensors have waited for some ranks for more than " + patience / 1e3
                    + " s. Look whether those ranks leave out a layer, or hang (jstack shows where):" + tensors);
            }
        }
    }

    private static String lines(TensorTable table, int ranks, int[] waited, long patience) {
        StringBuilder lines = new StringBuilder();
        for (int number = 0; number < table.size(); number++) {
            List<Integer> there = new ArrayList<>();
            List<Integer> missing = new ArrayList<>();
            int longest = -1;
            for (int rank = 0; rank < ranks; rank++) {
                int own = waited[rank * table.size() + number];
                (own < 0 ? missing : there).add(rank);
                longest = Math.max(longest, own);
            }
            // The last rank may have come in this cycle.
            if (longest > patience && !missing.isEmpty()) {
                lines.append("\n  tensor ").append(table.name(number)).append(": submitted by ")
                    .append(TensorTable.ranks(there)).append(", missing on ").append(TensorTable.ranks(missing));
            }
        }
        return lines.toString();
    }

    /** No tensor of this rank waits. */
    static int[] nothing(TensorTable table) {
        int[] waited = new int[table.size()];
        Arrays.fill(waited, -1);
        return waited;
    }
}

package org.brigade.launch.options;

import java.io.File;
import mpi.MPI;

/** What the ranks of {@link MpirunOptionsTest} run: says who they are, or waits for ever. */
final class OptionsProgram {
    private OptionsProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        int[] sum = {1};
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
        if (arguments.length > 0 && arguments[0].equals("hang")) {
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, (rank + 1) % sum[0], 7);
        }
        System.out.println(rank + " of " + sum[0] + " in " + new File("").getAbsoluteFile().getName() + " application "
            + System.getenv("BRIGADE_APPLICATION") + " A=" + System.getenv("A") + " " + String.join(",", arguments)
            + " on " + Runtime.version().feature());
        System.err.println("error of " + rank);
        MPI.Finalize();
    }
}

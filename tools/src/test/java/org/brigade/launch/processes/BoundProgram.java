package org.brigade.launch.processes;

import java.nio.file.Files;
import java.nio.file.Path;
import mpi.Intercomm;
import mpi.MPI;

/** Says where it may run; with an argument it spawns a process that does the same. */
public final class BoundProgram {
    private static final String ALLOWED = "Cpus_allowed_list:";

    private BoundProgram() {
    }

    public static void main(String[] line) throws Exception {
        MPI.Init(line);
        Intercomm parent = Intercomm.getParent();
        for (String fact : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (fact.startsWith(ALLOWED)) {
                System.out.println((parent.isNull() ? "rank " : "child ") + MPI.COMM_WORLD.getRank() + " runs on "
                    + fact.substring(ALLOWED.length()).strip());
            }
        }
        if (!parent.isNull()) {
            parent.disconnect();
        } else if (line.length > 0) {
            MPI.COMM_WORLD.spawn(BoundProgram.class.getName(), new String[0], 1, MPI.INFO_NULL, 0, new int[1])
                .disconnect();
        }
        MPI.Finalize();
    }
}

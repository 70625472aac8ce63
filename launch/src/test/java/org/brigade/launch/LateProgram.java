package org.brigade.launch;

import mpi.MPI;

/** A job of {@link FaultsTest} whose rank 1 never calls Init, so rank 0 waits there for it. */
public final class LateProgram {
    private LateProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        if (System.getenv("BRIGADE_RANK").equals("1")) {
            Thread.sleep(60_000);
        }
        MPI.Init(arguments);
    }
}

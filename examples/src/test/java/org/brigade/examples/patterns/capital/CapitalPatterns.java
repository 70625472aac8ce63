package org.brigade.examples.patterns.capital;

import mpi.MPI;

/** All patterns of this package in one job. */
public final class CapitalPatterns {
    private CapitalPatterns() {
    }

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        CapitalMasterWorker.run();
        CapitalScatterGather.run();
        CapitalTags.run();
        MPI.Finalize();
    }
}

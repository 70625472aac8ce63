package org.brigade.examples.patterns.capital;

import mpi.MPI;

/** All patterns of this package in one job. */
public final class CapitalPatterns {
    private CapitalPatterns() {
    }

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        CapitalSpmd.run();
        CapitalMasterWorker.run();
        CapitalMessageRing.run();
        CapitalBroadcast.run();
        CapitalScatterGather.run();
        CapitalReductions.run();
        CapitalParallelLoop.run();
        CapitalBarrier.run();
        CapitalTags.run();
        MPI.Finalize();
    }
}

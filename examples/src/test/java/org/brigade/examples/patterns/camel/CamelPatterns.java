package org.brigade.examples.patterns.camel;

import mpi.MPI;

/** All patterns of this package in one job. */
public final class CamelPatterns {
    private CamelPatterns() {
    }

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        Spmd.run();
        MasterWorker.run();
        MessageRing.run();
        Broadcast.run();
        ScatterGather.run();
        Reductions.run();
        ParallelLoop.run();
        Barrier.run();
        Tags.run();
        MPI.Finalize();
    }
}

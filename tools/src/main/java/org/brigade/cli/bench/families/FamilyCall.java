package org.brigade.cli.bench.families;

import mpi.MPIException;

/** An operation at one size on this rank, ready to be called many times. */
public interface FamilyCall {
    /** Bytes of the row in tables: those that were asked for, as far as whole elements give them; 0 without sizes. */
    default int bytes() {
        return 0;
    }

    /** Stands before each call, outside the clock. */
    default void prepare() throws MPIException {
    }

    /** What is timed. All ranks call it, and each does its part. */
    void call() throws MPIException;

    /** Frees what the calls needed. Collective. */
    default void close() throws MPIException {
    }
}

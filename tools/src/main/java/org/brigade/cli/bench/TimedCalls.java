package org.brigade.cli.bench;

import mpi.MPIException;

/** An operation at one size, ready to be timed. */
interface TimedCalls {
    int bytes();

    /** The algorithm that served the last timed call, or a word in its place. */
    String algorithm();

    /** Mean nanoseconds of one message or call on this rank. Collective. */
    double time(int iterations) throws MPIException;

    /** Frees what the calls needed. Collective. */
    default void close() throws MPIException {
    }
}

package org.brigade.transport;

import org.brigade.bootstrap.Job;

/** A way to reach other ranks. Found by {@link java.util.ServiceLoader}. */
public interface Transport {
    /** The name that {@code brigade info} and messages use. */
    String name();

    /** Why this transport cannot serve the job, as a sentence with its cure; null if it can. */
    String unfit(Job job);

    /**
     * Connects this rank to all others of the job; returns once all have connected.
     *
     * @throws mpi.MPIException if it cannot, saying what to do
     */
    Endpoint open(Job job);
}

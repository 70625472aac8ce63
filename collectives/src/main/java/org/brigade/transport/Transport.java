package org.brigade.transport;

import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;

/** A way to reach the ranks of one's own node. Found by {@link java.util.ServiceLoader}. */
public interface Transport {
    /** The name that {@code brigade info} and messages use. */
    String name();

    /** Why this transport cannot serve the job's ranks on this node, as a sentence with its cure; null if it can. */
    String unfit(Job job);

    /**
     * Connects this rank to all others of a job on one node; returns once all have connected.
     *
     * @throws mpi.MPIException if it cannot, saying what to do
     */
    Endpoint open(Job job);

    /**
     * Which ranks of a job on several nodes this one reaches: all ranks of the job call it. Whom one rank reaches
     * reaches the same ranks.
     *
     * @return ascending, this rank among them
     * @throws mpi.MPIException if it cannot be found out, saying what to do
     */
    int[] reachable(Job job, Exchange exchange);

    /**
     * Connects this rank to those that {@link #reachable} found. The endpoint's ranks are the job's, and it answers for
     * those of this node only.
     *
     * @throws mpi.MPIException if it cannot, saying what to do
     */
    Endpoint open(Job job, int[] reachable);
}

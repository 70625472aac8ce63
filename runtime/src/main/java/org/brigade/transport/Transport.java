package org.brigade.transport;

import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;

/** A way to reach the other ranks of this node. Found by {@link java.util.ServiceLoader}. */
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
     * Finds out which ranks of a job on several nodes this rank can reach. All ranks of the job call it. Ranks that
     * reach each other get the same answer.
     *
     * @return the ranks, ascending, with this rank among them
     * @throws mpi.MPIException if it cannot be found out, with the cure
     */
    int[] reachable(Job job, Exchange exchange);

    /**
     * Connects this rank to the ranks that {@link #reachable} found. The endpoint uses the job's rank numbers and
     * serves only ranks of this node.
     *
     * @throws mpi.MPIException if it cannot, saying what to do
     */
    Endpoint open(Job job, int[] reachable);
}

package org.brigade.transport;

import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Nodes;

/** What joins the nodes of a job: a way to reach ranks of other nodes. Found by {@link java.util.ServiceLoader}. */
public interface Fabric {
    /** The name by which it is chosen ({@code brigade.fabric}) and that messages use: {@code sisci}. */
    String name();

    /**
     * Why this fabric cannot serve the job, as a sentence with its cure; null if it can. Looks at this node only.
     *
     * @throws org.brigade.select.TuningException if what the user has set of it cannot be followed: then no other
     * fabric takes its place
     */
    String unfit(Job job);

    /**
     * Makes this rank reachable and learns how to reach the others; all ranks of the job call it. What is kept for each
     * peer may be made when it is first used.
     *
     * @throws mpi.MPIException if it cannot, saying what to do
     */
    FabricEnd open(Job job, Nodes nodes, Exchange exchange);
}

package org.brigade.transport;

import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.Nodes;
import org.brigade.pattern.NetworkSpeed;

/** A way to reach ranks of other nodes. Found by {@link java.util.ServiceLoader}. */
public interface Fabric {
    /** The name for {@code brigade.fabric} and for messages, for example {@code sisci}. */
    String name();

    /**
     * Why this fabric cannot serve the job, as a sentence with its cure; null if it can. Looks at this node only.
     *
     * @throws org.brigade.select.TuningException if this fabric cannot follow one of its settings: then no other fabric
     * takes its place
     */
    String unfit(Job job);

    /** How fast it is on whatever host, if that is known; else null, and the hosts' adapters say. */
    default NetworkSpeed speed() {
        return null;
    }

    /** How messages go from node to node, by their size, in a line for users; null if it makes no difference. */
    default String protocol() {
        return null;
    }

    /**
     * Makes this rank reachable and learns how to reach the others; all ranks of the job call it. State for a peer may
     * be made on first use.
     *
     * @throws mpi.MPIException if it cannot, with the cure
     */
    FabricEnd open(Job job, Nodes nodes, Exchange exchange);
}

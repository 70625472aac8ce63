package org.brigade.bootstrap;

import mpi.ErrorClass;

/** Finds out which job this process belongs to. Found by {@link java.util.ServiceLoader}. */
public interface Bootstrap {
    /**
     * This process's place in its job; a job of one if no launcher says otherwise.
     *
     * @throws mpi.MPIException if the launcher's variables are incomplete or contradictory; names the variable
     */
    Job job();

    /**
     * How the ranks of a job on several nodes find each other. Called once.
     *
     * @throws mpi.MPIException if this launcher offers no way; names a launcher that does
     */
    default Exchange exchange(Job job) {
        throw ErrorClass.OTHER.in("Init on rank " + job.rank() + " of " + job.size(),
            "the job has " + job.size() + " ranks, " + job.localSize()
                + " of them on this node, and its ranks on different nodes cannot find each other under this launcher ("
                + job.launcher() + "); start all ranks on one node");
    }
}

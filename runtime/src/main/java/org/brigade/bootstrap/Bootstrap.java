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

    /**
     * How processes of different jobs find each other; the same object at every call.
     *
     * @throws mpi.MPIException if there is no way
     */
    default Ports ports() {
        throw ErrorClass.UNSUPPORTED_OPERATION.in("Ports",
            "this bootstrap cannot join jobs; put the whole brigade.jar on the class path");
    }

    /**
     * The port at which the processes that have spawned this job wait for it, which all its ranks know; null if a
     * launcher's command line has started this job.
     */
    default String parentPort() {
        return null;
    }

    /** Which of the commands of one spawnMultiple has started this process; 0 if it was not one. */
    default int applicationNumber() {
        return 0;
    }
}

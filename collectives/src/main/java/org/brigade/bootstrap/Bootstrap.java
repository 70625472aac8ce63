package org.brigade.bootstrap;

/** Finds out which job this process belongs to. Found by {@link java.util.ServiceLoader}. */
public interface Bootstrap {
    /**
     * This process's place in its job; a job of one if no launcher says otherwise.
     *
     * @throws mpi.MPIException if the launcher's word is incomplete or contradicts itself, naming the variable
     */
    Job job();
}

package mpi;

/**
 * One side of a process's neighbourhood in a distributed graph. Read only.
 *
 * @param ranks the neighbours; {@link MPI#PROC_NULL} stands for none
 * @param weights of the edges, by position; all 0 if the edges have none
 */
record Neighbours(int[] ranks, int[] weights) {
}

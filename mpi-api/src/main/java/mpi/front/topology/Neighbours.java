package mpi.front.topology;

/**
 * One side of a process's neighbourhood in a distributed graph. Read only.
 *
 * @param ranks the neighbours; {@code MPI.PROC_NULL} stands for none
 * @param weights of the edges, by position; all 0 if the edges have none
 */
public record Neighbours(int[] ranks, int[] weights) {
}

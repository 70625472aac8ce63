/**
 * Grids and graphs of ranks, and the placement of ranks on processes. Internal: only package mpi and tests may call it;
 * no promise of versions holds.
 */
package mpi.front.topology;

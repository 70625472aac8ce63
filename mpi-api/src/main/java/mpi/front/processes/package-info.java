/**
 * The arguments of calls with ports, and of spawn. Internal: only package mpi and tests may call it; no promise of
 * versions holds.
 */
package mpi.front.processes;

/**
 * What calls of package mpi know of the job: its phases, the handles of its communicators, hints and attributes.
 * Internal: only package mpi and tests may call it; no promise of versions holds.
 */
package mpi.front.job;

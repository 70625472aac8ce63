/**
 * Open files: their views, pointers and transfers, and the agreement of ranks on collective calls. Internal: only
 * package mpi and tests may call it; no promise of versions holds.
 */
package mpi.front.files;

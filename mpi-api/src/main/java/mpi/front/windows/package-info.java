/**
 * Accesses to windows: their arguments become what the layers below run. Internal: only package mpi and tests may call
 * it; no promise of versions holds.
 */
package mpi.front.windows;

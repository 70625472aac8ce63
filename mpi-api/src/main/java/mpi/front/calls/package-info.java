/**
 * Collective and point-to-point calls. Both dialects fill the same objects, which check and start the call. Internal:
 * only package mpi and tests may call it; no promise of versions holds.
 */
package mpi.front.calls;

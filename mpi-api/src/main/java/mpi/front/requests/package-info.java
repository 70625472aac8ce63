/**
 * What requests wrap: operations under way, in rounds that several threads may end. Internal: only package mpi and
 * tests may call it; no promise of versions holds.
 */
package mpi.front.requests;

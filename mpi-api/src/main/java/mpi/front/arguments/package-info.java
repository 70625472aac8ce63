/**
 * Checks of arguments. What they find wrong is worded as an error with its cure. Internal: only package mpi and tests
 * may call it; no promise of versions holds.
 */
package mpi.front.arguments;

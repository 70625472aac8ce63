/**
 * What datatypes and operations wrap: where the data of items lie, and which reductions are defined on them. Internal:
 * only package mpi and tests may call it; no promise of versions holds.
 */
package mpi.front.types;

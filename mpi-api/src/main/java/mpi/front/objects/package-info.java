/**
 * Messages of Java objects: their serialized form as words, and which classes a rank accepts. Internal: only package
 * mpi and tests may call it; no promise of versions holds.
 */
package mpi.front.objects;

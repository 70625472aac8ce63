/** Serialized objects as bytes of any number. Not for programs. */
package mpi.front.objects;

/** Tools that stand between a program and its MPI, as PMPI lets them in C. {@link Interposer} is where to begin. */
package mpi.spi.interpose;

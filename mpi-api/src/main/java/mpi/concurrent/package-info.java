/** Java's executors over the ranks of a communicator. Stands on package mpi alone. */
package mpi.concurrent;

package mpi.spi;

/** MPI's four send modes. */
public enum SendMode { STANDARD, BUFFERED, SYNCHRONOUS, READY }

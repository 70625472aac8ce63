/**
 * Files below {@link mpi.front.files}: where the data of a view lie, how bytes reach the disk, and how ranks write
 * together. It knows {@link mpi.spi} and nothing of package mpi; its errors are {@link java.io.IOException}s. Internal.
 */
package mpi.front.io;

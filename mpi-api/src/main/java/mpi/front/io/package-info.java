/**
 * Files below {@code File}: where the data of a view lie, how bytes reach the disk, and how ranks write together. Not
 * for programs. It knows {@link mpi.spi} and nothing of package mpi; its errors are {@link java.io.IOException}s.
 */
package mpi.front.io;

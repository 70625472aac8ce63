/** What package mpi needs from below for windows. */
package mpi.spi.window;

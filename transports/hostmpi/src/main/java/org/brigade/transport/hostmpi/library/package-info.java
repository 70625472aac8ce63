/**
 * The host's MPI library: its functions through JNA, its ABIs, and the thread that calls it on behalf of the others.
 * Public classes here serve the other packages of this transport; programs do not see them.
 */
package org.brigade.transport.hostmpi.library;

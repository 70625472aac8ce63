/**
 * The host's MPI library: its functions by JNA, the two ABIs, and the thread that calls it in others' stead. What is
 * public here is so for the other packages of this transport; programs see none of it.
 */
package org.brigade.transport.hostmpi.library;

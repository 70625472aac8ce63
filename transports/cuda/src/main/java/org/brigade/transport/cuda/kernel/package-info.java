/**
 * Kernels and their arguments: the compiled images, the arguments in the layout of call.cuh, the blocks of a call, the
 * numberings of members and the limits of grids. Public classes here serve the other packages of this transport;
 * programs do not see them.
 */
package org.brigade.transport.cuda.kernel;

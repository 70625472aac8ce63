/**
 * Kernels and what they are told: the compiled images, the arguments in the layout of call.cuh, the blocks of a call,
 * how members are numbered and how large grids may be. What is public here is so for the other packages of this
 * transport; programs see none of it.
 */
package org.brigade.transport.cuda.kernel;

/**
 * The collectives of one communicator on devices: the members open a group, launch kernels on it, wait for their end,
 * and close it. Here is also what happens when a member dies. What is public here is so for the other packages of this
 * transport; programs see none of it.
 */
package org.brigade.transport.cuda.group;

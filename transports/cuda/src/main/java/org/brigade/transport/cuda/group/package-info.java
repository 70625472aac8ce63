/**
 * The device collectives of one communicator: the members open a group, launch kernels on it, wait for their end, and
 * close it; also what happens when a member dies. Public classes here serve the other packages of this transport;
 * programs do not see them.
 */
package org.brigade.transport.cuda.group;

/**
 * Collectives on the user's streams: registered windows, staging for what is not registered, the order of launches. It
 * uses a group's scratch memory and kernels. What is public here is so for the other packages of this transport;
 * programs see none of it.
 */
package org.brigade.transport.cuda.stream;

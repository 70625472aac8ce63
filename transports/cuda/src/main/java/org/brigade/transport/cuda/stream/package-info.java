/**
 * Collectives on the user's streams: registered windows, staging for other buffers, the order of launches. It uses a
 * group's scratch memory and kernels. Public classes here serve the other packages of this transport; programs do not
 * see them.
 */
package org.brigade.transport.cuda.stream;

/**
 * Device memory of other processes: each rank exports its allocations on its board, and maps what peers export, once
 * each. Public classes here serve the other packages of this transport; programs do not see them.
 */
package org.brigade.transport.cuda.ipc;

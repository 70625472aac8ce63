/**
 * Device memory of other processes: each rank offers its allocations on its board, and maps what peers offer, once
 * each. What is public here is so for the other packages of this transport; programs see none of it.
 */
package org.brigade.transport.cuda.ipc;

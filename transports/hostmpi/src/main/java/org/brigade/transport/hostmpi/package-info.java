/**
 * Between nodes Brigade runs on the MPI that launched it, and so on every network of that MPI. This package adds
 * bounded memory, links that never block, and messages that say what went wrong.
 */
package org.brigade.transport.hostmpi;

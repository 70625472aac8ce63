/**
 * Between nodes Brigade runs on the MPI that launched it: its networks are ours. What is added is bounded memory, links
 * that never block, and words on what went wrong.
 */
package org.brigade.transport.hostmpi;

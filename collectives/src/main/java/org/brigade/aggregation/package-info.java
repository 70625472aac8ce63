/**
 * Reduction in the network: the contract of a network that reduces what the nodes of a communicator send it, with the
 * words and codes of SHARP (libsharp_coll): capabilities, groups, registered memory, nonblocking allreduce, test,
 * quotas, lock. It is an optimisation: whatever it refuses or loses, the ordinary schedules do.
 */
package org.brigade.aggregation;

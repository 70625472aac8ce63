/**
 * Reduction in the network: the contract of a network that reduces what the nodes of a communicator send it, in the
 * terms and codes of SHARP (libsharp_coll): capabilities, groups, registered memory, nonblocking allreduce, test,
 * quotas, lock. The network is an optimisation: the ordinary schedules do whatever it refuses or loses.
 */
package org.brigade.aggregation;

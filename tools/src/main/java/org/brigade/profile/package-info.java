/**
 * Measures the transfers of {@link org.brigade.topology.profile} on real machines: a pool of processes, the ranks of a
 * job, and the memories of host and GPUs.
 */
package org.brigade.profile;

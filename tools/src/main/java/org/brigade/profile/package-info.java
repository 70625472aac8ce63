/**
 * How the transfers of {@link org.brigade.topology.profile} are measured on real machines: a pool of processes, which
 * are the ranks of a job, and the memories of host and GPUs.
 */
package org.brigade.profile;

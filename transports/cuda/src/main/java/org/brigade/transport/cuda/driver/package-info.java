/**
 * CUDA's driver through JCuda: GPUs and their contexts, allocations, page-locked memory, copies between host and
 * device, results as exceptions. Public classes here serve the other packages of this transport; programs do not see
 * them.
 */
package org.brigade.transport.cuda.driver;

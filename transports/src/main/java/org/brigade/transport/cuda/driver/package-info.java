/**
 * CUDA's driver by way of JCuda: GPUs and their contexts, allocations, page-locked memory, copies between host and
 * device, results as exceptions. What is public here is so for the other packages of this transport; programs see none
 * of it.
 */
package org.brigade.transport.cuda.driver;

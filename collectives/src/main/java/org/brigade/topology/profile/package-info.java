/**
 * Measured paths: how fast sets of simultaneous transfers are, the best ring or chain over GPUs by these measurements,
 * and files of both.
 *
 * <p>
 * Source: Kim, Ryu, Lee, "TCCL: discovering better communication paths for PCIe GPU clusters", ASPLOS 2024. Links that
 * are wide enough on paper are too slow when certain transfers meet (a GPU that reads its processor's memory while it
 * writes to another socket's GPU; many bounce buffers in one memory). So paths are compared by the bandwidth of all
 * their transfers at once, never by the links' rates.
 */
package org.brigade.topology.profile;

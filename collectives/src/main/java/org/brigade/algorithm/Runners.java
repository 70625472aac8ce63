package org.brigade.algorithm;

import mpi.spi.Collective;

/**
 * The ways to run an algorithm. {@link Algorithm#open} calls the method of its own way. A communicator opens runners
 * so; {@code brigade explain} finds their classes so.
 *
 * @param <R> what is opened
 */
public interface Runners<R> {
    /** By the engine, step by step. */
    R schedule();

    /** By short messages from every rank to every other that needs them. */
    R flat(Collective collective);

    /** By reading every rank's block where that rank has published it. */
    R pull();

    /** The same, with the sums of {@link #flat}. */
    R flatPull();

    /** By reading blocks in the other ranks' memory. */
    R singleCopy();

    /** By copies into memory that the ranks of a node share, and out of it. */
    R copyInCopyOut();

    /** By sums in memory that the ranks of a node share, each slice passed from rank to rank. */
    R movementAvoiding();

    /** By sums in memory that the ranks of a node share, each slice by one rank. */
    R partitioned();

    /** By stores that reach several nodes at once. */
    R multicast();

    /** By the engine, step by step, with a reducing network as one more peer. */
    R network();

    /** By a kernel on each device. */
    R kernel();
}

package org.brigade.aggregation;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.NativeMemory;

/**
 * The nodes of one communicator as members of an aggregation tree. Every member contributes to the same operations in
 * the same order. The network reduces each and sends all members the result. No call blocks: the waiting rank calls
 * {@link #test}, which also makes progress. Only one thread may use a group at a time.
 */
public interface AggregationGroup {
    /** What {@link #iallreduce} answers when all slots are in use. */
    int REFUSED = -1;

    Capabilities capabilities();

    /** Registers memory with the network, so that operations may use it; it stays registered. */
    RegisteredMemory register(NativeMemory memory) throws AggregationException;

    /**
     * Begins to reduce. Until {@link #test} reports the end, the bytes at {@code sendAt} must not change and those at
     * {@code recvAt} belong to the network.
     *
     * @param bytes at most {@link Capabilities#payload}, a multiple of the type's; the positions are multiples of 8
     * @return a number for {@link #test}, which is reused later; or {@link #REFUSED}: try again
     * @throws AggregationException if the tree is lost, or refuses permanently
     */
    int iallreduce(RegisteredMemory memory, int sendAt, int recvAt, int bytes, AggregationType type, Operator operator)
        throws AggregationException;

    /**
     * Whether an operation has ended. Its number is then free.
     *
     * @throws AggregationException if the tree is lost; the network's timeout bounds how late this is noticed
     */
    boolean test(int request) throws AggregationException;

    /**
     * Locks the tree for this group if the network streams for one group at a time; else does nothing.
     *
     * @return false if another group holds the lock: try again
     */
    boolean lock() throws AggregationException;

    void unlock();

    /** Leaves the group. All operations must have ended, or the tree be lost. */
    void close();
}

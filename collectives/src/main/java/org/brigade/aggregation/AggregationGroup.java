package org.brigade.aggregation;

import mpi.spi.Reduction.Operator;
import org.brigade.memory.NativeMemory;

/**
 * The nodes of one communicator as members of an aggregation tree. Every member contributes to the same operations in
 * the same order; the network reduces each and gives all of them the result. Nothing blocks: whoever waits calls
 * {@link #test}, which also moves what can be moved. One thread at a time.
 */
public interface AggregationGroup {
    /** What {@link #iallreduce} answers when all slots are in use. */
    int REFUSED = -1;

    Capabilities capabilities();

    /** Makes memory known to the network, for operations on it; for good. */
    RegisteredMemory register(NativeMemory memory) throws AggregationException;

    /**
     * Begins to reduce. The bytes at {@code sendAt} must stay as they are, and those at {@code recvAt} belong to the
     * network, until {@link #test} says that it has ended.
     *
     * @param bytes at most {@link Capabilities#payload}, a multiple of the type's; the positions are multiples of 8
     * @return a number for {@link #test}, used again later; or {@link #REFUSED}: try again
     * @throws AggregationException if the tree is lost, or refuses for good
     */
    int iallreduce(RegisteredMemory memory, int sendAt, int recvAt, int bytes, AggregationType type, Operator operator)
        throws AggregationException;

    /**
     * Whether an operation has ended. When it has, its number is free.
     *
     * @throws AggregationException if the tree is lost, which is found out within its timeout
     */
    boolean test(int request) throws AggregationException;

    /**
     * Takes the tree for this group alone, where the network streams for one at a time; else does nothing.
     *
     * @return false if another group has it: try again
     */
    boolean lock() throws AggregationException;

    void unlock();

    /** Leaves. Operations must have ended, or the group be lost. */
    void close();
}

package org.brigade.device;

import java.util.List;
import mpi.spi.DeviceBuffer;
import mpi.spi.Reduction.Operator;
import mpi.spi.TypeLayout;
import org.brigade.op.Combiners;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.transport.Endpoint;

/**
 * The GPUs of this process. The implementation in brigade.jar is loaded by name at the first buffer that is neither an
 * array nor an NIO buffer; other processes never pay for it. Under the progress lock, one thread at a time.
 */
public interface Devices {
    /** {@link #export} of memory that peers cannot map: its collectives are staged through host memory. */
    long UNREACHABLE = -1;
    /** Length of a {@link #card}. */
    int CARD_WORDS = 15;

    /** As {@link mpi.spi.Provider#underlying}. Any thread may call it, without the lock. */
    Object underlying(Object buffer);

    /** As {@link mpi.spi.Call.Remembered#isStill}. Any thread may call it, without the lock. */
    default boolean isStill(Object pointer, DeviceBuffer memory) {
        return false;
    }

    /**
     * Exports the allocation behind a buffer to the ranks of this node.
     *
     * @return a number by which peers find the allocation. It stays the same as long as the allocation lives and is
     * never reused; {@link #UNREACHABLE} if the allocation cannot be exported
     */
    long export(Endpoint endpoint, DeviceBuffer buffer);

    /** Where a buffer begins in its exported allocation, in bytes. */
    long offset(DeviceBuffer buffer);

    /**
     * Describes the memory behind a buffer to other processes of this node, for {@link #map}.
     *
     * @return {@link #CARD_WORDS} words
     */
    default long[] card(DeviceBuffer buffer) {
        return new long[CARD_WORDS];
    }

    /**
     * Maps memory of a rank of this node until {@link DeviceMapping#close}.
     *
     * @param card that rank's {@link #card}
     * @param beside device memory of this rank, whose GPU is to reach it; null if there is none
     * @return null if this process cannot map it
     */
    default DeviceMapping map(long[] card, DeviceBuffer beside) {
        return null;
    }

    /** Whether there are kernels for this operation on this type; the same on all ranks. */
    default boolean reduces(TypeLayout type, Operator operator) {
        return operator != Operator.USER && operator != Operator.REPLACE && operator != Operator.NO_OP
            && Combiners.supports(type, operator);
    }

    /**
     * Opens the group that runs one communicator's collectives on devices. Collective over the members, which have all
     * just been found to have reachable device memory.
     *
     * @param members ranks of the job, all on this node
     * @param buffer a buffer of this rank: its GPU is the one that the group works on
     * @param wires what is known of the wires between the members' devices, the same on all: rings and chains follow
     * them
     * @param exchange an allgather among the members
     * @return the group; null, on all members, if any member could not open it: calls are then staged
     */
    DeviceGroup open(Endpoint endpoint, int[] members, int rank, DeviceBuffer buffer, CommunicatorTopology wires,
        Exchange exchange);

    /** The device of a buffer as topology profiles call it: its PCI bus id. Null if unknown. */
    default String name(DeviceBuffer buffer) {
        return null;
    }

    /**
     * Asynchronous copies; null if there are none, when links copy by {@link DeviceBuffer}'s own methods. Always the
     * same object.
     */
    default CopyEngine copies() {
        return null;
    }

    /**
     * This rank makes no more calls: releases the peers' memory, but not yet its own, which slower peers may still
     * write into.
     */
    default void leave(Endpoint endpoint) {
    }

    /** All ranks have left: frees what {@link #leave} kept. */
    default void end(Endpoint endpoint) {
    }

    /** The endpoint that ended last is closed, with its links: frees what this process kept for all its calls. */
    default void free() {
    }

    /** The devices that this process may use and their links, a line each, for people. */
    default List<String> describe() {
        return List.of();
    }

    /** An allgather of bytes among the members of a communicator. */
    interface Exchange {
        /** Sends a block to all members and returns theirs by rank; all blocks have one length. */
        byte[][] allgather(byte[] mine);
    }
}

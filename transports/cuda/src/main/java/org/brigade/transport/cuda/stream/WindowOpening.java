package org.brigade.transport.cuda.stream;

import jcuda.driver.CUresult;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Communicator;
import org.brigade.device.DeviceCommunicator;
import org.brigade.transport.cuda.driver.CudaBuffer;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.Gpus;
import org.brigade.transport.cuda.group.MemberCard;
import org.brigade.transport.cuda.group.PeerMapping;
import org.brigade.transport.cuda.ipc.IpcMemory;

/**
 * How the members of a communicator open a {@link Window}: each describes its memory, all map all, and if one fails,
 * none has a window.
 */
final class WindowOpening {
    private final Communicator lower;
    private final Gpus gpus;
    private final Gpu gpu;
    private final int rank;
    private final int ranks;

    WindowOpening(Communicator lower, Gpus gpus, Gpu gpu) {
        this.lower = lower;
        this.gpus = gpus;
        this.gpu = gpu;
        rank = lower.rank();
        ranks = lower.size();
    }

    /** Exchanges cards among all members; throws, on all, if one of them has a failure. */
    static MemberCard[] agree(Communicator lower, String what, MemberCard mine) {
        byte[][] blocks = ((DeviceCommunicator) lower).exchange(mine.write());
        MemberCard[] cards = new MemberCard[blocks.length];
        for (int member = 0; member < blocks.length; member++) {
            cards[member] = MemberCard.read(blocks[member]);
        }
        for (int member = 0; member < blocks.length; member++) {
            if (cards[member].failure != null) {
                throw ErrorClass.OTHER.in(what, lower.rank(), lower.size(), lower.name(),
                    (member == lower.rank() ? "" : "rank " + member + ": ") + cards[member].failure);
            }
        }
        return cards;
    }

    /**
     * Makes a window of memory of all members. Collective.
     *
     * @param card with a failure if this rank has no memory
     */
    Window open(String what, CudaBuffer buffer, long bytes, MemberCard card) {
        if (card.failure == null) {
            card.process = IpcMemory.PROCESS;
            card.uuid = gpu.uuid;
            card.scratch = buffer.allocation.base;
            card.windowAt = buffer.offset();
            card.windowBytes = bytes;
            export(buffer, card);
        }
        MemberCard[] cards = agree(lower, what, card);
        MemberCard mapping = new MemberCard();
        long[] begins = new long[ranks];
        long[] mappings = new long[ranks];
        boolean[] foreign = new boolean[ranks];
        for (int member = 0; member < ranks && mapping.failure == null; member++) {
            mapping.failure = different(card, cards[member], member);
            if (member == rank) {
                begins[member] = buffer.address;
            } else if (mapping.failure == null) {
                mapping.failure = map(cards[member], member, begins, foreign);
                mappings[member] = foreign[member] ? begins[member] : 0;
                begins[member] += cards[member].windowAt;
            }
        }
        Window window = new Window(buffer.allocation, buffer.address, bytes, begins, mappings);
        try {
            agree(lower, what, mapping);
        } catch (MPIException e) {
            close(window);
            throw e;
        }
        return window;
    }

    /**
     * Puts the handle of a buffer's allocation into a card, or why there is none. Must not throw: the others wait for
     * the card.
     */
    private void export(CudaBuffer buffer, MemberCard card) {
        try {
            gpu.enter();
            try {
                int result = IpcMemory.export(buffer.allocation.base, card.handle);
                card.failure =
                    result == CUresult.CUDA_SUCCESS ? null : CudaResult.describe(result, "cuIpcGetMemHandle on " + gpu);
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            card.failure = String.valueOf(e.getMessage());
        }
    }

    /** Maps a member's allocation; null, or why it cannot be mapped. Must not throw, either. */
    private String map(MemberCard theirs, int member, long[] begins, boolean[] foreign) {
        try {
            gpu.enter();
            try {
                String failure = PeerMapping.map(gpus, gpu, theirs, member, begins, foreign);
                return failure == null ? null : "the memory of rank " + failure;
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            return "the memory of rank " + member + " cannot be mapped: " + e.getMessage();
        }
    }

    /** Null, or why a member's memory and this rank's cannot form one window. */
    private static String different(MemberCard mine, MemberCard theirs, int member) {
        if (mine.windowBytes != theirs.windowBytes) {
            return "rank " + member + " registers " + theirs.windowBytes + " bytes, this rank " + mine.windowBytes
                + "; register the same length everywhere";
        }
        // So that memory that is aligned on one rank is aligned on all, and all run the same kernels.
        return (mine.scratch + mine.windowAt & 15) == (theirs.scratch + theirs.windowAt & 15) ? null
            : "the memory of rank " + member
                + " begins elsewhere in its 16 bytes than this rank's; register memory that begins at a multiple of 16";
    }

    /** Ends this rank's part of a window. */
    void close(Window window) {
        gpu.enter();
        try {
            window.close();
        } finally {
            gpu.leave();
        }
    }
}

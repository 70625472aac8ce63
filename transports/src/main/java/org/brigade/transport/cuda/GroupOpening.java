package org.brigade.transport.cuda;

import java.util.Arrays;
import jcuda.CudaException;
import jcuda.driver.CUcontext;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.transport.Endpoint;

/** How the members of a communicator come to a {@link CudaGroup}: each makes its scratch memory, all map all, and if one cannot, none has a group. */
final class GroupOpening {
    private final Gpus gpus;
    private final Gpu gpu;
    private final int rank;
    private final int ranks;
    private ScratchMemory scratch;
    private CudaGroup.Resources resources;
    private final long[] mapped;
    private final boolean[] foreign;

    private GroupOpening(Gpus gpus, Gpu gpu, int rank, int ranks) {
        this.gpus = gpus;
        this.gpu = gpu;
        this.rank = rank;
        this.ranks = ranks;
        mapped = new long[ranks];
        foreign = new boolean[ranks];
    }

    /** As {@link Devices#open}. */
    static DeviceGroup open(Gpus gpus, SharedAllocations shared, Endpoint endpoint, int[] members, int rank, Gpu gpu, Devices.Exchange exchange) {
        GroupOpening opening = new GroupOpening(gpus, gpu, rank, members.length);
        MemberCard[] cards = opening.tell(exchange, opening.prepare());
        String failure = first(cards, members);
        if (failure == null) {
            // Also the barrier behind which members may write into each other's memory: all have cleared theirs.
            failure = first(opening.tell(exchange, opening.mapAll(cards)), members);
        }
        if (failure != null) {
            opening.undo();
            if (rank == 0) {
                System.err.println("brigade: collectives of " + members.length + " ranks on device memory go by way of the host: " + failure);
            }
            return null;
        }
        byte[][] uuids = new byte[members.length][];
        int[] multiprocessors = new int[members.length];
        for (int member = 0; member < members.length; member++) {
            uuids[member] = cards[member].uuid;
            multiprocessors[member] = cards[member].multiprocessors;
        }
        GroupMemory memory = new GroupMemory(members.clone(), rank, shared.imports(gpu));
        Launches launches = new Launches(gpu.kernels(), GridLimits.of(uuids, multiprocessors));
        return new CudaGroup(endpoint, gpu, memory, launches, opening.scratch, opening.mapped, opening.foreign, opening.resources,
            new Distress(endpoint, members.clone(), Distress.number(cards[0])));
    }

    private static String first(MemberCard[] cards, int[] members) {
        for (int member = 0; member < cards.length; member++) {
            if (cards[member].failure != null) {
                return "rank " + members[member] + ": " + cards[member].failure;
            }
        }
        return null;
    }

    private MemberCard[] tell(Devices.Exchange exchange, MemberCard mine) {
        byte[][] blocks = exchange.allgather(mine.write());
        MemberCard[] cards = new MemberCard[ranks];
        for (int member = 0; member < ranks; member++) {
            cards[member] = MemberCard.read(blocks[member]);
        }
        return cards;
    }

    /** What this rank has for the others. Must not throw: they wait for the card. */
    private MemberCard prepare() {
        MemberCard card = new MemberCard();
        card.process = IpcMemory.PROCESS;
        card.uuid = gpu.uuid;
        card.multiprocessors = gpu.multiprocessors;
        try {
            if (ranks > CallArguments.MAX_RANKS) {
                card.failure = ranks + " ranks are more than a kernel can address (" + CallArguments.MAX_RANKS + ")";
                return card;
            }
            gpu.enter();
            try {
                gpu.kernels().loadMoving();
                resources = new CudaGroup.Resources(gpu);
                scratch = new ScratchMemory(gpu);
                card.scratch = scratch.address;
                int result = IpcMemory.export(scratch.address, card.handle);
                card.failure = result == CUresult.CUDA_SUCCESS ? null : CudaResult.describe(result, "cuIpcGetMemHandle on " + gpu);
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException | LinkageError e) {
            card.failure = String.valueOf(e.getMessage());
        }
        return card;
    }

    /** Maps the others' scratch. Must not throw, either. */
    private MemberCard mapAll(MemberCard[] cards) {
        MemberCard card = new MemberCard();
        try {
            gpu.enter();
            try {
                for (int member = 0; member < ranks && card.failure == null; member++) {
                    card.failure = map(cards[member], member);
                }
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException | LinkageError e) {
            card.failure = String.valueOf(e.getMessage());
        }
        return card;
    }

    /** Null, or why the scratch cannot be mapped. */
    private String map(MemberCard theirs, int member) {
        if (member == rank) {
            mapped[member] = scratch.address;
            return null;
        }
        if (theirs.process == IpcMemory.PROCESS) {
            mapped[member] = theirs.scratch;
            return Arrays.equals(theirs.uuid, gpu.uuid) ? null : enablePeer(theirs);
        }
        long[] address = new long[1];
        int result = IpcMemory.open(theirs.handle, address);
        if (result != CUresult.CUDA_SUCCESS) {
            return "the scratch memory of member " + member + " cannot be mapped: " + CudaResult.describe(result, "cuIpcOpenMemHandle on " + gpu);
        }
        mapped[member] = address[0];
        foreign[member] = true;
        return null;
    }

    /** Between two GPUs of one process, mapping is a matter of contexts. */
    private String enablePeer(MemberCard theirs) {
        Gpu peer = gpus.withUuid(theirs.uuid);
        int result = peer == null ? CUresult.CUDA_ERROR_INVALID_DEVICE : enablePeer(peer.context);
        return result == CUresult.CUDA_SUCCESS || result == CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED ? null
            : CudaResult.describe(result, "cuCtxEnablePeerAccess from " + gpu + " to " + peer);
    }

    private static int enablePeer(CUcontext context) {
        try {
            return JCudaDriver.cuCtxEnablePeerAccess(context, 0);
        } catch (CudaException e) {
            return CudaResult.of(e);
        }
    }

    /** Gives back what this rank has made for a group that will not be. */
    private void undo() {
        try {
            gpu.enter();
            try {
                for (int member = 0; member < ranks; member++) {
                    if (foreign[member]) {
                        IpcMemory.close(mapped[member]);
                    }
                }
                if (scratch != null) {
                    scratch.leave();
                }
                if (resources != null) {
                    resources.free();
                }
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException e) {
            // The context is gone, and all that was in it.
        }
    }
}

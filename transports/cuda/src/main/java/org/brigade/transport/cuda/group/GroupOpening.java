package org.brigade.transport.cuda.group;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import jcuda.driver.CUresult;
import org.brigade.device.DeviceCost;
import org.brigade.device.DeviceGroup;
import org.brigade.device.Devices;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.ResidentMode;
import org.brigade.select.Settings;
import org.brigade.transport.Endpoint;
import org.brigade.transport.cuda.driver.CudaResult;
import org.brigade.transport.cuda.driver.Gpu;
import org.brigade.transport.cuda.driver.GpuSet;
import org.brigade.transport.cuda.driver.Gpus;
import org.brigade.transport.cuda.ipc.IpcMemory;
import org.brigade.transport.cuda.ipc.SharedAllocations;
import org.brigade.transport.cuda.kernel.CallArguments;
import org.brigade.transport.cuda.kernel.GridLimits;
import org.brigade.transport.cuda.kernel.KernelOrders;
import org.brigade.transport.cuda.kernel.Kernels;

/**
 * How the members of a communicator open a {@link CudaGroup}: each makes its scratch memory, all map all, and if one
 * fails, none has a group.
 */
public final class GroupOpening {
    /** Reasons that this process has told: other communicators have the same. */
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private final Gpus gpus;
    private final Gpu gpu;
    private final int rank;
    private final int ranks;
    private final CommunicatorTopology wires;
    private final Endpoint endpoint;
    private final ScratchUse use;
    private ScratchMemory scratch;
    private CudaGroup.Resources resources;
    private GroupHostMemory shared;
    private final long[] mapped;
    private final boolean[] foreign;
    /** Whether lines that a member's GPU stores into another's memory arrive whole. */
    private boolean wholeLines = true;

    private GroupOpening(Endpoint endpoint, int[] members, Gpus gpus, Gpu gpu, int rank, CommunicatorTopology wires) {
        this.endpoint = endpoint;
        this.gpus = gpus;
        this.gpu = gpu;
        this.rank = rank;
        this.ranks = members.length;
        use = new ScratchUse(endpoint, members, rank);
        this.wires = wires;
        mapped = new long[ranks];
        foreign = new boolean[ranks];
    }

    /** As {@link Devices#open}. */
    public static DeviceGroup open(Gpus gpus, SharedAllocations shared, Endpoint endpoint, int[] members, int rank,
        Gpu gpu, CommunicatorTopology wires, Devices.Exchange exchange) {
        GroupOpening opening = new GroupOpening(endpoint, members, gpus, gpu, rank, wires);
        try {
            return opening.open(shared, members, exchange);
        } catch (RuntimeException lost) {
            opening.undo(); // a member has died meanwhile
            throw lost;
        }
    }

    private DeviceGroup open(SharedAllocations shared, int[] members, Devices.Exchange exchange) {
        MemberCard[] cards = tell(exchange, prepare());
        String failure = first(cards, members);
        if (failure == null) {
            // Also the barrier before members write into each other's memory: all have cleared theirs.
            cards = withMappings(cards, tell(exchange, mapAll(cards)));
            failure = first(cards, members);
        }
        agreeOnSharing(cards);
        if (failure != null) {
            undo();
            String why = "brigade: collectives of " + members.length
                + " ranks on device memory go through host memory: " + failure;
            if (rank == 0 && SAID.add(why)) {
                System.err.println(why);
            }
            return null;
        }
        byte[][] uuids = uuids(cards);
        String[] told = new String[members.length];
        int[] multiprocessors = new int[members.length];
        for (int member = 0; member < members.length; member++) {
            told[member] = cards[member].about;
            multiprocessors[member] = cards[member].multiprocessors;
        }
        GroupMemory memory = new GroupMemory(members.clone(), rank, shared.imports(gpu));
        ResidentMode mode = ResidentMode.of(Settings.ofThisProcess());
        // Another communicator's resident kernel may be on the GPU. The same on all members, whether they allow it or
        // not.
        Launches launches =
            new Launches(Kernels.of(gpu), GridLimits.of(uuids, multiprocessors, mode.on() ? mode.blocks() : 0),
                KernelOrders.of(wires, rank, mapped), resources);
        String refusal = mode.on() ? ResidentKernel.refusal(uuids) : null;
        if (refusal != null && rank == 0) {
            System.err.println("brigade: no resident mode for collectives of " + members.length + " ranks: " + refusal);
        }
        return new CudaGroup(parts(), memory, launches,
            new GroupFailureNotice(endpoint, members.clone(), GroupFailureNotice.number(cards[0])), wholeLines,
            refusal == null ? mode : ResidentMode.OFF, GpuSet.name(told), costs(cards, uuids));
    }

    private static List<DeviceCost> costs(MemberCard[] cards, byte[][] uuids) {
        List<DeviceCost> costs = new ArrayList<>();
        if (Stream.of(uuids).map(ByteBuffer::wrap).distinct().count() < uuids.length) {
            costs.add(new DeviceCost("ranks share a GPU", "it runs their kernels in turn, so each call takes turns",
                "start no more ranks than there are GPUs"));
        } else if (Stream.of(cards).anyMatch(card -> !card.linked)) {
            costs.add(new DeviceCost("there is no NVLink between some of the GPUs",
                "long messages take what PCIe carries, a tenth of NVLink",
                "take GPUs with NVLink between them (brigade info lists links; CUDA_VISIBLE_DEVICES chooses)"));
        }
        return costs;
    }

    private static byte[][] uuids(MemberCard[] cards) {
        byte[][] uuids = new byte[cards.length][];
        for (int member = 0; member < cards.length; member++) {
            uuids[member] = cards[member].uuid;
        }
        return uuids;
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

    /** Makes what this rank tells the others. Must not throw: they wait for the card. */
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
                Kernels.of(gpu).loadMoving();
                resources = new CudaGroup.Resources(gpu);
                GroupEnd.goOn();
                scratch = new ScratchMemory(gpu, KernelOrders.bytes(wires));
                card.scratch = scratch.address;
                int result = IpcMemory.export(scratch.address, card.handle);
                card.failure =
                    result == CUresult.CUDA_SUCCESS ? null : CudaResult.describe(result, "cuIpcGetMemHandle on " + gpu);
            } finally {
                gpu.leave();
            }
            if (rank == 0 && card.failure == null) {
                shared = GroupHostMemory.make(endpoint.withinNode().nodeMemory(), ranks);
                card.area = shared == null ? null : Long.toString(shared.at());
            }
        } catch (RuntimeException | LinkageError e) {
            card.failure = String.valueOf(e.getMessage());
        }
        return card;
    }

    /** Maps the others' scratch. Must not throw, either. */
    private MemberCard mapAll(MemberCard[] cards) {
        MemberCard card = new MemberCard();
        if (!use.begin(GroupFailureNotice.number(cards[0]))) {
            card.failure = "more than " + ScratchUse.WORDS + " communicators have memory on GPUs; free some";
            return card;
        }
        try {
            gpu.enter();
            try {
                for (int member = 0; member < ranks && card.failure == null; member++) {
                    if (member == rank) {
                        mapped[member] = scratch.address;
                    } else {
                        String failure = PeerMapping.map(gpus, gpu, cards[member], member, mapped, foreign);
                        card.failure = failure == null ? null : "the scratch memory of member " + failure;
                    }
                }
                card.linked = card.failure == null;
                int partner = rank ^ 1;
                card.paired = card.linked && partner < ranks && gpu.isLinkedTo(cards[partner].uuid);
                for (int member = 0; member < ranks; member++) {
                    card.linked = card.linked && (member == rank || gpu.isLinkedTo(cards[member].uuid));
                }
                card.wholeLines = card.linked && gpu.storesWholeLines();
                card.about = GpuSet.card(gpu, uuids(cards));
                if (rank != 0 && cards[0].area != null) {
                    shared = GroupHostMemory.open(endpoint.withinNode().nodeMemory(), Long.parseLong(cards[0].area));
                }
                if (shared != null && gpu.hasWords() && shared.lockHeader()) {
                    resources.stripe = new HostStripe(gpu, rank, ranks, shared);
                    resources.arrivals = new Arrivals(shared, rank);
                    resources.pairs = new PairStreams(gpu, rank, ranks, shared);
                    card.shares = true;
                }
            } finally {
                gpu.leave();
            }
        } catch (RuntimeException | LinkageError e) {
            card.failure = String.valueOf(e.getMessage());
        }
        return card;
    }

    /** Combines each member's card and the result of its mapping. */
    private MemberCard[] withMappings(MemberCard[] cards, MemberCard[] mappings) {
        for (int member = 0; member < ranks; member++) {
            cards[member].failure = mappings[member].failure;
            cards[member].shares = mappings[member].shares;
            cards[member].linked = mappings[member].linked;
            cards[member].paired = mappings[member].paired;
            cards[member].wholeLines = mappings[member].wholeLines;
            cards[member].about = mappings[member].about;
        }
        return cards;
    }

    /** Keeps only what all members share. Without it the group does as well as it can. */
    private void agreeOnSharing(MemberCard[] cards) {
        boolean all = true;
        boolean linked = true;
        boolean paired = true;
        for (MemberCard card : cards) {
            all &= card.shares;
            linked &= card.linked;
            paired &= card.paired;
            wholeLines &= card.wholeLines;
        }
        if (shared != null) {
            if (!all) {
                stopSharing();
            } else if (!linked) {
                resources.stripe.carryNothing();
            }
            if (all && !paired) {
                resources.pairs.carryNothing();
            }
        }
    }

    private void stopSharing() {
        gpu.enter();
        try {
            if (resources.stripe != null) {
                resources.stripe.free();
                resources.stripe = null;
                resources.arrivals = null;
                resources.pairs = null;
            } else {
                shared.free();
            }
        } finally {
            gpu.leave();
        }
        shared = null;
    }

    /** Frees what this rank has made for a group that was not completed. */
    private void undo() {
        new GroupEnd(parts(), null, List.of()).begin();
    }

    private GroupEnd.Parts parts() {
        return new GroupEnd.Parts(endpoint, gpu, scratch, mapped, foreign, resources, use);
    }
}

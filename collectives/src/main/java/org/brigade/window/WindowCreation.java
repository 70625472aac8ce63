package org.brigade.window;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.DeviceBuffer;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;
import org.brigade.bootstrap.Nodes;
import org.brigade.device.Devices;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.matching.CommunicatorMessages;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.NodeMemory;

/**
 * Makes windows; collective. Ranks that refuse their arguments, or that get no memory, make the window fail on all
 * ranks.
 *
 * <p>
 * Memory that is made with a window lies in one file for each node:
 *
 * <pre>
 *  control blocks of the node's ranks | memory of the first rank | memory of the second ... each from a page on
 * </pre>
 */
public final class WindowCreation {
    private static final String CALL = "Win";
    private static final int PAGE = 4096;
    private static final int NAME_WORDS = NodeMemory.NAME_LENGTH / Long.BYTES;

    private final WindowService service;
    private final Progress progress;
    private final Communicator lower;
    private final Membership party;
    private final CommunicatorMessages messages;
    private final Supplier<Devices> devices;
    private final int rank;
    private final int ranks;
    private final long[] bytes;
    private final int[] units;
    private final TargetMemory[] memories;
    private final ControlBlock[] controls;
    private final ByteBuffer[] mapped;
    private List<PeerReach> ways = List.of();
    private Runnable release = () -> {
    };

    /**
     * @param lower the window's own communicator
     * @param party its members
     * @param messages for the window's messages; of members whose loss is no error by itself
     * @param devices gives those of this process, null if there are none
     */
    public WindowCreation(WindowService service, Progress progress, Communicator lower, Membership party,
        CommunicatorMessages messages, Supplier<Devices> devices) {
        this.service = service;
        this.progress = progress;
        this.lower = lower;
        this.party = party;
        this.messages = messages;
        this.devices = devices;
        rank = lower.rank();
        ranks = lower.size();
        bytes = new long[ranks];
        units = new int[ranks];
        memories = new TargetMemory[ranks];
        controls = new ControlBlock[ranks];
        mapped = new ByteBuffer[ranks];
    }

    /** As {@link WindowMaker#window}. */
    public RankWindow open(WindowKind kind, Object buffer, long size, int unit, boolean locks, MPIException wrong) {
        compare(kind, size, unit, wrong);
        Nodes nodes = progress.endpoint.nodes();
        boolean here = nodes == null || nodes.spannedBy(lower.members()) == 1;
        NodeMemory shared = progress.endpoint.withinNode().nodeMemory();
        if (kind == WindowKind.SHARED && ranks > 1 && (!here || shared == null)) {
            throw error(ErrorClass.RMA_SHARED, "the ranks cannot share memory, as they are on several nodes; pass a"
                + " communicator that splitType(Comm.TYPE_SHARED, ...) made, or Win.FLAVOR_PRIVATE");
        }
        if ((kind == WindowKind.ALLOCATED || kind == WindowKind.SHARED) && ranks > 1 && shared != null) {
            share(shared, nodes, true);
        } else if (kind == WindowKind.ALLOCATED || kind == WindowKind.SHARED) {
            mapped[rank] = ByteBuffer.allocateDirect((int) size);
            memories[rank] = TargetMemory.of(mapped[rank], size);
        } else {
            memories[rank] = kind == WindowKind.DYNAMIC ? new TargetMemory() : TargetMemory.of(buffer, size);
            if (kind == WindowKind.CREATED && ranks > 1 && shared != null) {
                reach(buffer, shared, nodes);
            }
        }
        if (controls[rank] == null) {
            controls[rank] = new ControlBlock(NativeMemory.allocate(ControlBlock.bytes(ranks)));
        }
        return window(kind, locks);
    }

    private RankWindow window(WindowKind kind, boolean locks) {
        MemoryAccess accesses = new MemoryAccess();
        boolean far = false;
        for (long unreached : allgather(countUnreached())) {
            far |= unreached > 0;
        }
        WindowMessages post = far
            ? new WindowMessages(messages, ranks, accesses, memories[rank], controls[rank]) : null;
        RankWindow window = new RankWindow(service, progress, lower, party, locks,
            new RankWindow.WindowSizes(kind == WindowKind.DYNAMIC, bytes, units), memories, controls, mapped, accesses,
            post, ways, release);
        progress.lock.lock();
        try {
            service.add(window);
        } finally {
            progress.lock.unlock();
        }
        return window;
    }

    private int countUnreached() {
        int unreached = 0;
        for (TargetMemory memory : memories) {
            unreached += memory == null ? 1 : 0;
        }
        return unreached;
    }

    /**
     * Finds the own buffers of this node's ranks, on the host and on devices, that this process can copy to and from.
     * It needs their control blocks, too; without memory for those the window uses messages.
     */
    private void reach(Object buffer, NodeMemory shared, Nodes nodes) {
        ways = List.of(new PeerBuffers(buffer), new PeerDevices(devices, buffer));
        DeviceBuffer[] found = new DeviceBuffer[ranks];
        boolean any = false;
        for (PeerReach way : ways) {
            any |= find(way, nodes, found);
        }
        boolean wanted = false;
        for (long one : allgather(any ? 1 : 0)) { // all have read the number of this rank
            wanted |= one != 0;
        }
        Reference.reachabilityFence(ways);
        if (wanted && share(shared, nodes, false)) {
            for (int each = 0; each < ranks; each++) {
                memories[each] = found[each] == null ? memories[each] : TargetMemory.of(found[each], bytes[each]);
            }
        } else {
            for (PeerReach way : ways) {
                way.close();
            }
        }
    }

    /** Finds the ranks of this node that a way leads to; true if there are any. */
    private boolean find(PeerReach way, Nodes nodes, DeviceBuffer[] found) {
        progress.lock.lock();
        long[] told;
        try {
            told = way.told();
        } finally {
            progress.lock.unlock();
        }
        long[] all = allgather(told);
        int[] members = lower.members();
        boolean any = false;
        progress.lock.lock();
        try {
            for (int each = 0; each < ranks; each++) {
                if (each != rank && found[each] == null && (nodes == null || nodes.isHere(members[each]))) {
                    int at = told.length * each;
                    found[each] = way.find(Arrays.copyOfRange(all, at, at + told.length), bytes[each]);
                    any |= found[each] != null;
                }
            }
        } finally {
            progress.lock.unlock();
        }
        return any;
    }

    /** Tells all ranks what each has asked for. */
    private void compare(WindowKind kind, long size, int unit, MPIException wrong) {
        long[] all = allgather(wrong == null ? 0 : 1, kind.ordinal(), size, unit);
        if (wrong != null) {
            throw wrong;
        }
        for (int each = 0; each < ranks; each++) {
            if (all[4 * each] != 0) {
                throw error(ErrorClass.OTHER, "rank " + each + " has refused its arguments; its own message says why");
            }
            if (all[4 * each + 1] != kind.ordinal()) {
                throw error(ErrorClass.NOT_SAME, "rank " + each
                    + " makes a window of another kind; use the same constructor and flavor on all ranks");
            }
            bytes[each] = all[4 * each + 2];
            units[each] = (int) all[4 * each + 3];
        }
    }

    /**
     * Maps the control blocks of all ranks of this node, and their memory if it is made with the window. Without memory
     * for the blocks alone, there are none on any rank; it is then false.
     */
    private boolean share(NodeMemory memory, Nodes nodes, boolean makes) {
        int[] members = lower.members();
        int block = ControlBlock.bytes(ranks);
        int leader = -1;
        int count = 0;
        for (int each = 0; each < ranks; each++) {
            if (nodes == null || nodes.isHere(members[each])) {
                leader = leader < 0 ? each : leader;
                count++;
            }
        }
        String made = "";
        IOException failed = null;
        try {
            made = rank == leader ? memory.make() : "";
        } catch (IOException e) {
            failed = e;
        }
        try {
            String name = nameOf(leader, made);
            long at = (long) block * count + PAGE - 1 & -PAGE;
            if (!name.isEmpty()) {
                try {
                    NativeMemory blocks = new NativeMemory(memory.map(name, 0, block * count, rank == leader));
                    int place = 0;
                    for (int each = 0; each < ranks; each++) {
                        if (nodes == null || nodes.isHere(members[each])) {
                            controls[each] =
                                new ControlBlock(new NativeMemory(blocks.bytes.slice(place++ * block, block)));
                            if (makes) {
                                mapped[each] = memory.map(name, at, (int) bytes[each], each == rank);
                                memories[each] = TargetMemory.of(mapped[each], bytes[each]);
                                at = at + bytes[each] + PAGE - 1 & -PAGE;
                            }
                        }
                    }
                } catch (IOException e) {
                    failed = e;
                }
            }
            boolean well = failed == null && !name.isEmpty();
            if (makes) {
                requireWell(well, failed, memory);
            } else if (!isWell(well)) {
                Arrays.fill(controls, null);
                return false;
            }
        } finally {
            if (!made.isEmpty()) {
                memory.removeName(made);
            }
        }
        ByteBuffer own = mapped[rank];
        if (own != null) {
            release = () -> memory.release(own);
        }
        return true;
    }

    /** Whether all ranks are well. */
    private boolean isWell(boolean here) {
        boolean well = true;
        for (long wrong : allgather(here ? 0 : 1)) {
            well &= wrong == 0;
        }
        return well;
    }

    /** The name of the file that this node's leader has made; empty if it could not. */
    private String nameOf(int leader, String made) {
        byte[] text = Arrays.copyOf(made.getBytes(StandardCharsets.US_ASCII), NodeMemory.NAME_LENGTH);
        ByteBuffer packed = ByteBuffer.wrap(text);
        long[] words = new long[NAME_WORDS];
        packed.asLongBuffer().get(words);
        packed.asLongBuffer().put(allgather(words), leader * NAME_WORDS, NAME_WORDS);
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        return new String(text, 0, length, StandardCharsets.US_ASCII);
    }

    private void requireWell(boolean well, IOException cause, NodeMemory memory) {
        long[] all = allgather(well ? 0 : 1);
        for (int each = 0; each < ranks; each++) {
            if (all[each] != 0) {
                MPIException error = error(ErrorClass.NO_MEM, (each == rank && cause != null
                    ? "this rank's " + bytes[rank] + " bytes of shared memory cannot be made (" + cause.getMessage()
                        + ")"
                    : "rank " + each + " could not make its " + bytes[each] + " bytes of shared memory") + "; "
                    + memory.place() + " has " + (memory.free() >> 20)
                    + " MiB free here: make it larger, or the window smaller");
                if (cause != null) {
                    error.initCause(cause);
                }
                throw error;
            }
        }
    }

    private long[] allgather(long... mine) {
        long[] all = new long[mine.length * ranks];
        Call call = new Call(rank, ranks).begin(Collective.ALLGATHER, true);
        call.send.own(mine, 0, (long) mine.length * Long.BYTES);
        call.recv.each(all, 0, (long) mine.length * Long.BYTES, ranks);
        lower.start(call);
        return all;
    }

    private MPIException error(ErrorClass errorClass, String what) {
        return errorClass.in(CALL, rank, ranks, lower.name(), what);
    }
}

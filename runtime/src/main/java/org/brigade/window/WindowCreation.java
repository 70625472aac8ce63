package org.brigade.window;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import mpi.ErrorClass;
import mpi.MPIException;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Communicator;
import mpi.spi.window.WindowKind;
import mpi.spi.window.WindowMaker;
import org.brigade.bootstrap.Nodes;
import org.brigade.device.Devices;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.NodeMemory;

/**
 * Makes windows; collective. Ranks that refuse their arguments, or that get no memory, make the window fail on all
 * ranks.
 */
public final class WindowCreation {
    private static final String CALL = "Win";
    /**
     * What each rank tells first: whether it refuses its arguments, then kind, size, unit, where memory lies, context.
     */
    private static final int FIRST_WORDS = 6;
    private static final int WORDS = FIRST_WORDS + PeerBuffers.WORDS + Devices.CARD_WORDS;
    private static final long NO_BLOCKS = -1;

    private final WindowService service;
    private final Progress progress;
    private final Communicator lower;
    private final Membership membership;
    private final WindowContexts contexts;
    private final Supplier<Devices> devices;
    private final int rank;
    private final int ranks;
    private final long[] bytes;
    private final int[] units;
    private final TargetMemory[] memories;
    private final ControlBlock[] controls;
    private final ByteBuffer[] mapped;
    private List<PeerReach> ways = List.of();
    /** The memory that the ranks of this node share; null if there is none. */
    private NodeStretch stretch;
    private long context;

    /**
     * @param lower the communicator of the window's ranks: makes its calls as long as the window is made
     * @param membership its members
     * @param devices gives those of this process, null if there are none
     */
    public WindowCreation(WindowService service, Progress progress, Communicator lower, Membership membership,
        WindowContexts contexts, Supplier<Devices> devices) {
        this.service = service;
        this.progress = progress;
        this.lower = lower;
        this.membership = membership;
        this.contexts = contexts;
        this.devices = devices;
        rank = membership.rank;
        ranks = membership.members.length;
        bytes = new long[ranks];
        units = new int[ranks];
        memories = new TargetMemory[ranks];
        controls = new ControlBlock[ranks];
        mapped = new ByteBuffer[ranks];
    }

    /**
     * As {@link WindowMaker#window}.
     *
     * @param compared whether calls are compared: then the window has a communicator that does so
     */
    public RankWindow open(WindowKind kind, Object buffer, long size, int unit, boolean locks, String name,
        boolean compared, MPIException wrong) {
        Nodes nodes = progress.endpoint.nodes();
        boolean here = nodes == null || nodes.spannedBy(membership.members) == 1;
        NodeMemory shared = ranks == 1 ? null : progress.endpoint.withinNode().nodeMemory();
        stretch = shared == null ? null : new NodeStretch(shared, rank, ranks, onThisNode(nodes));
        boolean reaches = kind == WindowKind.CREATED && stretch != null && wrong == null;
        boolean makes = (kind == WindowKind.ALLOCATED || kind == WindowKind.SHARED) && stretch != null;
        ways = reaches ? List.of(new PeerBuffers(progress.mappable, shared, buffer), new PeerDevices(devices, buffer))
            : List.of();
        long place = reaches || makes && here && stretch.hasRoom(size) ? reserve() : NO_BLOCKS;
        long[] all = tell(kind, size, unit, wrong, place);
        compare(kind, all, wrong);
        if (kind == WindowKind.SHARED && ranks > 1 && (!here || shared == null)) {
            throw refused(ErrorClass.RMA_SHARED, "the ranks cannot share memory, as they are on several nodes; pass a"
                + " communicator that splitType(Comm.TYPE_SHARED, ...) made, or Win.FLAVOR_PRIVATE");
        }
        boolean far = makes ? make(all, here) : ranks > 1;
        if (kind == WindowKind.CREATED || kind == WindowKind.DYNAMIC) {
            memories[rank] = kind == WindowKind.DYNAMIC ? new TargetMemory() : TargetMemory.of(buffer, size);
            if (reaches) {
                far = reach(all);
            } else {
                stretch = null;
            }
        } else if (!makes) {
            mapped[rank] = ByteBuffer.allocateDirect((int) size);
            memories[rank] = TargetMemory.of(mapped[rank], size);
        }
        if (controls[rank] == null) {
            controls[rank] = new ControlBlock(NativeMemory.allocate(ControlBlock.bytes(ranks)));
        }
        return window(kind, locks, name, far, compared);
    }

    private long reserve() {
        service.left.endUnused();
        return stretch.reserve();
    }

    /** @param far whether some rank cannot touch another one's memory: then all use messages */
    private RankWindow window(WindowKind kind, boolean locks, String name, boolean far, boolean compared) {
        WindowContexts.Own own = far || compared ? contexts.communicator(context, name) : null;
        WindowMessages post = far
            ? new WindowMessages(own.messages(), ranks, service.accesses, memories[rank], controls[rank]) : null;
        WindowGroup group = own != null ? new FarGroup(own.communicator(), own.membership())
            : new NearGroup(progress, new Membership(rank, membership.members, name, membership.returnsErrors()),
                contexts,
                context, controls);
        RankWindow window = new RankWindow(service, progress, group, locks,
            new RankWindow.WindowSizes(kind == WindowKind.DYNAMIC, bytes, units), memories, controls, mapped,
            service.accesses, post, ways, stretch);
        progress.lock.lock();
        try {
            service.add(window);
        } finally {
            progress.lock.unlock();
        }
        return window;
    }

    private int[] onThisNode(Nodes nodes) {
        int[] members = membership.members;
        int[] here = new int[ranks];
        int count = 0;
        for (int each = 0; each < ranks; each++) {
            if (nodes == null || nodes.isHere(members[each])) {
                here[count++] = each;
            }
        }
        return Arrays.copyOf(here, count);
    }

    /**
     * Tells all ranks what each has asked for, where the node's first rank has reserved memory, the window's context,
     * and what {@link #ways} need. Returns these words of all ranks.
     */
    private long[] tell(WindowKind kind, long size, int unit, MPIException wrong, long place) {
        long[] mine = new long[WORDS];
        mine[0] = wrong == null ? 0 : 1;
        mine[1] = kind.ordinal();
        mine[2] = size;
        mine[3] = unit;
        mine[4] = place;
        mine[5] = rank == 0 ? contexts.take() : 0;
        if (!ways.isEmpty()) {
            progress.lock.lock();
            try {
                int at = FIRST_WORDS;
                for (PeerReach way : ways) {
                    System.arraycopy(way.told(), 0, mine, at, way.words());
                    at += way.words();
                }
            } finally {
                progress.lock.unlock();
            }
        }
        long[] all = allgather(mine);
        context = all[5];
        return all;
    }

    /** Throws if some rank refuses its arguments, or makes another window. */
    private void compare(WindowKind kind, long[] all, MPIException wrong) {
        if (wrong != null) {
            throw refused(wrong);
        }
        for (int each = 0; each < ranks; each++) {
            if (all[WORDS * each] != 0) {
                throw refused(ErrorClass.OTHER,
                    "rank " + each + " has refused its arguments; its own message says why");
            }
            if (all[WORDS * each + 1] != kind.ordinal()) {
                throw refused(ErrorClass.NOT_SAME, "rank " + each
                    + " makes a window of another kind; use the same constructor and flavor on all ranks");
            }
            bytes[each] = all[WORDS * each + 2];
            units[each] = (int) all[WORDS * each + 3];
        }
    }

    /**
     * Finds the own buffers of this node's ranks, on the host and on devices, that this process can copy to and from.
     * It needs their control blocks, too; without memory for those the window uses messages.
     *
     * @return whether some rank cannot reach another
     */
    private boolean reach(long[] told) {
        Object[] found = new Object[ranks];
        int at = FIRST_WORDS;
        for (PeerReach way : ways) {
            find(way, told, at, found);
            at += way.words();
        }
        int unreached = 0;
        for (int each = 0; each < ranks; each++) {
            unreached += each != rank && found[each] == null ? 1 : 0;
        }
        boolean well = stretch.map(told[WORDS * stretch.leader() + 4], controls, mapped);
        long[] all = allgather(well ? 1 : 0, unreached); // all have read the number of this rank
        Reference.reachabilityFence(ways);
        boolean shared = false;
        boolean far = false;
        boolean memory = true;
        for (int each = 0; each < ranks; each++) {
            memory &= all[2 * each] != 0;
            shared |= all[2 * each + 1] < ranks - 1;
            far |= all[2 * each + 1] > 0;
        }
        if (shared && memory) {
            for (int each = 0; each < ranks; each++) {
                memories[each] = found[each] == null ? memories[each] : TargetMemory.of(found[each], bytes[each]);
            }
            return far;
        }
        Arrays.fill(controls, null);
        stretch.end();
        stretch = null;
        for (PeerReach way : ways) {
            way.close();
        }
        return true;
    }

    /** Finds the ranks of this node that a way leads to. */
    private void find(PeerReach way, long[] told, int from, Object[] found) {
        int words = way.words();
        progress.lock.lock();
        try {
            for (int each : stretch.ranksHere()) {
                if (each != rank && found[each] == null) {
                    int at = WORDS * each + from;
                    found[each] = way.find(Arrays.copyOfRange(told, at, at + words), bytes[each]);
                }
            }
        } finally {
            progress.lock.unlock();
        }
    }

    /**
     * Makes the window's memory. On one node it has been reserved already if all have asked for as much as the first
     * rank, or less.
     *
     * @return whether some rank cannot reach another one's
     */
    private boolean make(long[] told, boolean here) {
        long place = here ? told[WORDS * stretch.leader() + 4] : NO_BLOCKS;
        if (place == NO_BLOCKS || !stretch.fits(bytes)) {
            stretch.end();
            stretch.hasParts(bytes);
            place = allgather(reserve())[stretch.leader()];
        }
        boolean well = stretch.map(place, controls, mapped);
        int unreached = 0;
        for (int each = 0; each < ranks; each++) {
            memories[each] = mapped[each] == null ? null : TargetMemory.of(mapped[each], bytes[each]);
            unreached += mapped[each] == null ? 1 : 0;
        }
        long[] all = allgather(well ? 0 : 1, unreached);
        boolean far = false;
        int poor = -1;
        for (int each = ranks - 1; each >= 0; each--) {
            poor = all[2 * each] != 0 ? each : poor;
            far |= all[2 * each + 1] > 0;
        }
        if (poor >= 0) {
            stretch.release();
            allgather(0); // until all have: the stretch may then serve another window
            throw refused(noMemory(stretch.failure() != null ? rank : poor));
        }
        return far;
    }

    private MPIException noMemory(int poor) {
        IOException cause = stretch.failure();
        MPIException error = error(ErrorClass.NO_MEM, (cause != null
            ? "this rank's " + bytes[rank] + " bytes of shared memory cannot be made (" + cause.getMessage() + ")"
            : "rank " + poor + " could not make its " + bytes[poor] + " bytes of shared memory") + "; "
            + stretch.memory().place() + " has " + (stretch.memory().free() >> 20)
            + " MiB free here: make it larger, or the window smaller");
        if (cause != null) {
            error.initCause(cause);
        }
        return error;
    }

    private long[] allgather(long... mine) {
        if (ranks == 1) {
            return mine;
        }
        long[] all = new long[mine.length * ranks];
        Call call = new Call(rank, ranks).begin(Collective.ALLGATHER, true);
        call.send.own(mine, 0, (long) mine.length * Long.BYTES);
        call.recv.each(all, 0, (long) mine.length * Long.BYTES, ranks);
        lower.start(call);
        return all;
    }

    private MPIException refused(ErrorClass errorClass, String what) {
        return refused(error(errorClass, what));
    }

    /** There will be no window, as all ranks know: gives back what it would have had. */
    private MPIException refused(MPIException why) {
        if (stretch != null) {
            stretch.end();
        }
        if (rank == 0) {
            contexts.giveBack(context);
        }
        return why;
    }

    private MPIException error(ErrorClass errorClass, String what) {
        return errorClass.in(CALL, rank, ranks, lower.name(), what);
    }
}

package org.brigade.transport.shm;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.Processors;
import org.brigade.device.Devices;
import org.brigade.device.LocalDevices;
import org.brigade.interrupt.ProcessEnd;
import org.brigade.memory.NativeMemory;
import org.brigade.nativ.ProcessMemory;
import org.brigade.nativ.Libc;
import org.brigade.process.NamelessFile;
import org.brigade.process.Platform;
import org.brigade.process.ProcessIdentity;
import org.brigade.process.ProcessWatch;
import org.brigade.process.SurvivorMark;
import org.brigade.setting.Setting;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;
import org.brigade.transport.NodeMemory;
import org.brigade.transport.tail.SegmentTail;
import org.brigade.waiting.FlightRecorder;
import org.brigade.waiting.RankState;
import org.brigade.waiting.WaitRecord;

/**
 * One rank's end of all channels of a segment. Callers name ranks by their number in the job. The segment has places,
 * one for each of the job's ranks on this node.
 */
public final class SharedEndpoint implements Endpoint {
    /** Processes checked in one call of lostPeer: a call costs some 10 us, and 8 calls check 64 ranks. */
    private static final int WATCHED_A_CALL = 8;

    private final int rank;
    private final int size;
    /** The job's ranks on this node, ascending; null if that is all of them. */
    private final int[] here;
    /** This rank's place, and how many places there are. */
    private final int place;
    private final int places;
    private final SharedLink[] links;
    private final RankTable table;
    private final SegmentDescriptor layout;
    private final NativeMemory memory;
    /** The peers' processes; null for a peer whose process cannot be seen. */
    private final ProcessWatch[] watches;
    private final ExitHook exitHook;
    /** The launcher's process; null if none is known. */
    private final ProcessWatch launcher;
    /** When a peer whose process cannot be seen was first found to be ending; 0 if none was. */
    private final long[] endingSince;
    private int watchedNext;
    /** What happened to each peer that is known to be lost. Like all arrays here, by place. */
    private final String[] lost;
    /** Which of them have left: their processes ended by themselves. */
    private final boolean[] left;
    /** Null until a message from or to device memory comes. */
    private DeviceSide deviceSide;
    private PeerProcesses processes;
    private CopyWays.Use streams;
    /** The segment's file; null if there is none, as for ranks that are threads. */
    private Closeable shown;
    private SegmentTail tail;

    /** The end of a rank that is a thread of this process, in memory that starts as zeros. */
    public static SharedEndpoint ofThread(SegmentDescriptor layout, NativeMemory memory, int rank) {
        new RankTable(memory).attach(rank, ProcessIdentity.THREAD, Processors.UNKNOWN);
        return new SharedEndpoint(layout, memory, rank, null, layout.ranks(), ProcessIdentity.THREAD, null, null);
    }

    /** The same in a job of {@code size} ranks, of which the ones in {@code here} are on this node. */
    public static SharedEndpoint ofThread(SegmentDescriptor layout, NativeMemory memory, int rank, int[] here,
        int size) {
        new RankTable(memory).attach(Arrays.binarySearch(here, rank), ProcessIdentity.THREAD, Processors.UNKNOWN);
        return new SharedEndpoint(layout, memory, rank, here, size, ProcessIdentity.THREAD, null, null);
    }

    /**
     * @param rank of the job
     * @param here the job's ranks on this node, ascending; null if that is all of them
     * @param size ranks of the job
     * @param exitHook {@link #close} removes it from the runtime's shutdown hooks; may be null
     * @param launcher the process whose end is the end of the job; may be null
     */
    SharedEndpoint(SegmentDescriptor layout, NativeMemory memory, int rank, int[] here, int size, ProcessIdentity self,
        ExitHook exitHook, ProcessWatch launcher) {
        this.rank = rank;
        this.size = size;
        this.here = here;
        this.place = place(rank);
        this.places = layout.ranks();
        this.layout = layout;
        this.memory = memory;
        this.table = new RankTable(memory);
        this.exitHook = exitHook;
        this.launcher = launcher;
        processes = new PeerProcesses(table, place, places, CopyWays.set("shm.loans"));
        streams = CopyWays.set("shm.streams");
        links = new SharedLink[places * LANES];
        watches = new ProcessWatch[places];
        lost = new String[places];
        left = new boolean[places];
        endingSince = new long[places];
        for (int peer = 0; peer < places; peer++) {
            for (int lane = 0; lane < LANES; lane++) {
                ChannelSender out =
                    new ChannelSender(memory, layout.channel(place, peer, lane), layout.slots(), layout.ringBytes());
                ChannelReceiver in =
                    new ChannelReceiver(memory, layout.channel(peer, place, lane), layout.slots(), layout.ringBytes());
                links[peer * LANES + lane] = new SharedLink(this, rankAt(peer), out, in, lane == POINT_TO_POINT);
            }
            ProcessIdentity other = table.identity(peer);
            if (peer != place && self.canSee(other)) {
                watches[peer] = new ProcessWatch(other.pid(), other.startTime());
            }
        }
    }

    /** Keeps the segment's file open: it has no name, so others look at it through /proc ({@link RunningJob}). */
    SharedEndpoint shows(Closeable file, Path path, long inode) {
        shown = file;
        tail = new SegmentTail(new SegmentTail.Source() {
            @Override
            public NamelessFile file() throws IOException {
                return NamelessFile.of(file, path, inode);
            }
        }, path.getParent(), memory, SegmentDescriptor.TAIL);
        if (place == 0) {
            table.callsShown((int) Setting.number("last.calls"));
        }
        return this;
    }

    @Override
    public WaitRecord waitRecord() {
        return shown == null ? null : new WaitRecord(memory, SegmentDescriptor.waitRecord(places, place));
    }

    @Override
    public List<RankState> rankStates() {
        return shown == null ? List.of() : table.states(places);
    }

    @Override
    public FlightRecorder recorder() {
        return table.recorder(places, place);
    }

    @Override
    public List<String> lastCalls(boolean show) {
        return shown == null ? List.of() : table.lastCalls(places, place, show);
    }

    @Override
    public void callsAreShown() {
        table.callsAreShown();
    }

    int place(int ofRank) {
        return here == null ? ofRank : Arrays.binarySearch(here, ofRank);
    }

    int rankAt(int ofPlace) {
        return here == null ? ofPlace : here[ofPlace];
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Link link(int peer, int lane) {
        return links[place(peer) * LANES + lane];
    }

    @Override
    public NativeMemory board(int rank) {
        return new NativeMemory(memory.bytes.slice(layout.board(place(rank)), BOARD_BYTES));
    }

    @Override
    public boolean offersMemory() {
        return processes.tell();
    }

    @Override
    public ProcessMemory memoryOf(int rank) {
        return processes.find(place(rank));
    }

    @Override
    public NodeMemory nodeMemory() {
        return tail != null ? tail : OfThreads.tail(memory);
    }

    @Override
    public CoreShare cores() {
        return machine().share();
    }

    @Override
    public int homeProcessor() {
        return machine().home();
    }

    @Override
    public MachineRanks machine() {
        Processors[] all = new Processors[places];
        for (int each = 0; each < places; each++) {
            all[each] = table.processors(each);
        }
        return new MachineRanks(all, place, places);
    }

    /** Sets which long messages are lent, before any is sent. */
    SharedEndpoint lends(CopyWays.Use loans) {
        return use(new PeerProcesses(table, place, places, loans));
    }

    /** Sets which messages are written past the caches, before any is sent. */
    SharedEndpoint streams(CopyWays.Use these) {
        streams = these;
        return this;
    }

    /** Which messages are written past the caches. */
    CopyWays.Use streams() {
        return streams;
    }

    /** For tests of processes that cannot be reached. */
    SharedEndpoint use(PeerProcesses others) {
        processes = others;
        return this;
    }

    /** The processes of this node whose memory the links can copy to and from. */
    PeerProcesses processes() {
        return processes;
    }

    /** What the links share for messages from and to device memory. */
    DeviceSide deviceSide() {
        if (deviceSide == null) {
            use(LocalDevices.find(), nodeMemory());
        }
        return deviceSide;
    }

    /**
     * Makes the links work with these devices, and stage messages in this memory. Call it before any message from or to
     * device memory.
     */
    void use(Devices devices, NodeMemory staging) {
        deviceSide = new DeviceSide(this, devices, memory, staging);
    }

    @Override
    public synchronized String lostPeer() {
        String failure = table.failure();
        if (failure != null) {
            return failure;
        }
        for (int peer = 0; peer < places; peer++) {
            if (table.state(peer) == RankTable.EXITED || table.isEnding(peer)) {
                look(peer);
            }
        }
        for (int i = Math.min(WATCHED_A_CALL, places); i > 0; i--) {
            watchedNext = watchedNext + 1 < places ? watchedNext + 1 : 0;
            look(watchedNext);
        }
        for (String sentence : lost) {
            if (sentence != null) {
                return sentence;
            }
        }
        return lostLauncher();
    }

    @Override
    public synchronized String lost(int peer) {
        int its = place(peer);
        look(its);
        return lost[its];
    }

    @Override
    public synchronized String over() {
        String failure = table.failure();
        return failure != null ? failure : lostLauncher();
    }

    @Override
    public synchronized String died() {
        String failure = table.failure();
        for (int peer = 0; failure == null && peer < places; peer++) {
            failure = left[peer] ? null : lost[peer];
        }
        return failure != null ? failure : lostLauncher();
    }

    @Override
    public synchronized String lostLauncher() {
        return launcher != null && launcher.ended() ? launcher.launcher() + " died" : null;
    }

    @Override
    public int[] launchers() {
        return launcher == null ? new int[0] : launcher.pids();
    }

    /** Checks whether the peer at a place is lost. */
    private void look(int peer) {
        if (peer == place || lost[peer] != null) {
            return;
        }
        ProcessWatch watch = watches[peer];
        boolean died = watch != null && table.isHere(peer) && watch.ended();
        // The peer may have changed its state after we read it and before it ended: read it again.
        long state = table.state(peer);
        boolean ending = table.isEnding(peer);
        if (state == RankTable.EXITED || ending && state != RankTable.FINISHED && (died || isUnseen(peer))) {
            lost[peer] = Endpoint.exited(rankAt(peer));
            left[peer] = state != RankTable.EXITED;
        } else if (died && state != RankTable.FINISHED) {
            lost[peer] = "rank " + rankAt(peer) + " (pid " + watch.pid() + ") died";
        }
    }

    /** Whether an ending process cannot be seen, as it is in another pid namespace, and has had its time. */
    private boolean isUnseen(int peer) {
        if (watches[peer] != null) {
            return false;
        }
        long now = System.nanoTime();
        endingSince[peer] = endingSince[peer] == 0 ? now : endingSince[peer];
        return now - endingSince[peer] > ProcessEnd.graceNanos();
    }

    @Override
    public void survives() {
        SurvivorMark.set();
    }

    @Override
    public void leaving() {
        table.leave(place, RankTable.LEAVING);
    }

    @Override
    public boolean isLeaving(int peer) {
        long state = table.state(place(peer));
        return state == RankTable.LEAVING || state == RankTable.FINISHED;
    }

    @Override
    public void finished() {
        table.leave(place, RankTable.FINISHED);
    }

    @Override
    public void exiting() {
        table.leave(place, RankTable.EXITED);
        unshare();
    }

    private void unshare() {
        if (exitHook != null) {
            exitHook.unshare();
        }
    }

    @Override
    public void fail(String why, int code) {
        table.fail(why, code);
        if (exitHook != null) {
            exitHook.jobFails(); // the process may end without its hooks
        }
    }

    @Override
    public int failureCode() {
        return table.failureCode();
    }

    @Override
    public void close() {
        for (SharedLink link : links) {
            link.close();
        }
        if (deviceSide != null) {
            deviceSide.close();
        }
        closeWatches();
        closeFile();
        if (exitHook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(exitHook);
            } catch (IllegalStateException alreadyEnding) {
                // The hook runs, and finds that this rank has set its last state.
            }
        }
    }

    /** The last rank to finish gives the memory back: it finds all others finished, and nobody looks there again. */
    @Override
    public void discard() {
        unshare();
        for (int peer = 0; peer < places; peer++) {
            if (table.state(peer) != RankTable.FINISHED) {
                return;
            }
        }
        try {
            Libc.removePages(memory.bytes, memory.bytes.capacity());
        } catch (LinkageError noNativeCode) {
            // The JVMs give the memory back when they collect it.
        }
    }

    private void closeFile() {
        try {
            if (shown != null) {
                tail.close();
                shown.close();
            }
        } catch (IOException ignored) {
            // Nothing was written: nothing is lost.
        }
    }

    private synchronized void closeWatches() {
        for (ProcessWatch watch : watches) {
            if (watch != null) {
                watch.close();
            }
        }
        if (launcher != null) {
            launcher.close();
        }
    }

    /** The memory of ranks that are threads of this process, and have a segment without a file. */
    private static final class OfThreads {
        private static final Map<NativeMemory, SegmentTail> TAILS = new WeakHashMap<>();

        private static Path folder() {
            try {
                return Platform.here().folder();
            } catch (IOException none) {
                return Path.of(System.getProperty("java.io.tmpdir"));
            }
        }

        static synchronized SegmentTail tail(NativeMemory segment) {
            SegmentTail tail = TAILS.get(segment);
            if (tail == null) {
                tail = new SegmentTail(() -> NamelessFile.make(Platform.here().folder(), "threads"), folder(),
                    NativeMemory.allocate(Long.BYTES), 0);
                TAILS.put(segment, tail);
            }
            return tail;
        }
    }
}

package org.brigade.transport.shm;

import java.nio.file.Path;
import org.brigade.bootstrap.Parts;
import org.brigade.device.Devices;
import org.brigade.memory.NativeMemory;
import org.brigade.process.ProcessWatch;
import org.brigade.process.SurvivorMark;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Link;

/** One rank's end of all channels of a segment. */
public final class SharedEndpoint implements Endpoint {
    /** Processes looked at in one call of lostPeer: a call costs some 10 us, and 64 ranks are seen in 8 calls. */
    private static final int WATCHED_A_CALL = 8;

    private final int rank;
    private final int size;
    private final SharedLink[] links;
    private final RankTable table;
    private final SegmentDescriptor layout;
    private final NativeMemory memory;
    /** The peers' processes; null where a peer's can't be seen. */
    private final ProcessWatch[] watches;
    private final Thread exitHook;
    /** The launcher's process; null if none is known. */
    private final ProcessWatch launcher;
    private int watchedNext;
    /** What happened to each peer that is lost, once it is known. */
    private final String[] lost;
    /** Null until device memory comes by. */
    private DeviceSide deviceSide;

    /** The end of a rank that is a thread of this process, in memory that starts as zeros. */
    public static SharedEndpoint ofThread(SegmentDescriptor layout, NativeMemory memory, int rank) {
        new RankTable(memory).attach(rank, ProcessIdentity.THREAD);
        return new SharedEndpoint(layout, memory, rank, ProcessIdentity.THREAD, null, null);
    }

    /**
     * @param exitHook what {@link #close} takes out of the runtime's shutdown hooks; may be null
     * @param launcher whose end is the job's; may be null
     */
    SharedEndpoint(SegmentDescriptor layout, NativeMemory memory, int rank, ProcessIdentity self, Thread exitHook, ProcessWatch launcher) {
        this.rank = rank;
        this.size = layout.ranks();
        this.layout = layout;
        this.memory = memory;
        this.table = new RankTable(memory);
        this.exitHook = exitHook;
        this.launcher = launcher;
        links = new SharedLink[size * LANES];
        watches = new ProcessWatch[size];
        lost = new String[size];
        for (int peer = 0; peer < size; peer++) {
            for (int lane = 0; lane < LANES; lane++) {
                ChannelSender out = new ChannelSender(memory, layout.channel(rank, peer, lane), layout.slots(), layout.ringBytes());
                ChannelReceiver in = new ChannelReceiver(memory, layout.channel(peer, rank, lane), layout.slots(), layout.ringBytes());
                links[peer * LANES + lane] = new SharedLink(this, peer, out, in);
            }
            ProcessIdentity other = table.identity(peer);
            if (peer != rank && self.canSee(other)) {
                watches[peer] = new ProcessWatch(other.pid(), other.startTime());
            }
        }
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
        return links[peer * LANES + lane];
    }

    @Override
    public NativeMemory board(int rank) {
        return new NativeMemory(memory.bytes.slice(layout.board(rank), BOARD_BYTES));
    }

    /** What the links share for messages from and to device memory. */
    DeviceSide deviceSide() {
        if (deviceSide == null) {
            use(Parts.devices(), Path.of(ShmTransport.DIRECTORY));
        }
        return deviceSide;
    }

    /** Has the links work with these devices, and share memory in this directory; before any message from or to device memory. */
    void use(Devices devices, Path directory) {
        deviceSide = new DeviceSide(this, devices, memory, directory);
    }

    @Override
    public synchronized String lostPeer() {
        String failure = table.failure();
        if (failure != null) {
            return failure;
        }
        for (int peer = 0; peer < size; peer++) {
            if (table.state(peer) == RankTable.EXITED) {
                look(peer);
            }
        }
        for (int i = Math.min(WATCHED_A_CALL, size); i > 0; i--) {
            watchedNext = watchedNext + 1 < size ? watchedNext + 1 : 0;
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
        look(peer);
        return lost[peer];
    }

    @Override
    public synchronized String over() {
        String failure = table.failure();
        return failure != null ? failure : lostLauncher();
    }

    private String lostLauncher() {
        return launcher != null && launcher.ended() ? "the launcher (pid " + launcher.pid() + ") died" : null;
    }

    /** Looks after one peer. */
    private void look(int peer) {
        if (peer == rank || lost[peer] != null) {
            return;
        }
        ProcessWatch watch = watches[peer];
        boolean died = watch != null && table.isHere(peer) && watch.ended();
        // Its last word may have come between our look at its state and that at its process.
        long state = table.state(peer);
        if (state == RankTable.EXITED) {
            lost[peer] = "rank " + peer + " exited without MPI.Finalize";
        } else if (died && state != RankTable.FINISHED) {
            lost[peer] = "rank " + peer + " (pid " + watch.pid() + ") died";
        }
    }

    @Override
    public void survives() {
        SurvivorMark.set();
    }

    @Override
    public void leaving() {
        table.leave(rank, RankTable.LEAVING);
    }

    @Override
    public boolean isLeaving(int peer) {
        long state = table.state(peer);
        return state == RankTable.LEAVING || state == RankTable.FINISHED;
    }

    @Override
    public void finished() {
        table.leave(rank, RankTable.FINISHED);
    }

    @Override
    public void exiting() {
        table.leave(rank, RankTable.EXITED);
    }

    @Override
    public void fail(String why, int code) {
        table.fail(why, code);
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
        closeWatches();
        if (exitHook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(exitHook);
            } catch (IllegalStateException alreadyEnding) {
                // The hook runs, and finds this rank's last word said.
            }
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
}

package org.brigade.transport.hostmpi;

import static org.brigade.transport.hostmpi.PacketDescriptor.*;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import mpi.spi.DeviceBuffer;
import org.brigade.device.CopyEngine;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.PeerTable;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.hostmpi.library.HostMpiException;
import org.brigade.transport.staging.ChunkPool;

/**
 * A rank's end of a fabric on the host's MPI. Data and notices come under two tags, each into receives of its own, so
 * that a rank which takes no data still hears what happens. Nobody moves data but those who wait for it. A thread, the
 * tender, wakes now and then to answer whoever asks for a sign of life: so a peer that computes for long is told from
 * one that is gone.
 */
final class HostMpiEnd implements FabricEnd {
    private static final int DATA = 0;
    private static final int NOTICES = 1;
    private static final int DATA_PACKETS = 32;
    private static final int NOTICE_PACKETS = 8;
    private static final int NOTICE_WINDOW = 64 << 10;
    private static final long TEND_NANOS = 500_000_000L;
    /** Silence after which a peer that is waited for is asked. */
    private static final long ASK_NANOS = 3_000_000_000L;
    private static final long DRAIN_NANOS = 10_000_000_000L;
    private static final long CLOSE_NANOS = 2_000_000_000L;
    private static final int FINAL_LOOKS = 64;

    /** The host's MPI is called by one thread at a time, whatever it could bear. */
    static final Object LOCK = new Object();

    private final int rank;
    private final long communicator;
    /** Whether all ranks are ends in this process: told apart by tags. */
    private final boolean together;
    private final HostMpiSettings settings;
    private final int ranks;
    private final PeerTable<HostMpiPeer> peers;
    /** Those that something has gone to or come from, in the order in which they were met. */
    private int[] met = new int[8];
    private int metCount;
    /** Whether the MPIs of all ranks read and write device memory. */
    private final boolean direct;
    private final ChunkPool chunks;
    private final Inflow data;
    private final Inflow notices;
    private final PacketQueue small = new PacketQueue();
    private final PacketQueue large = new PacketQueue();
    /** Of no lane: credits and signs of life. */
    private final PacketQueue underWay = new PacketQueue();
    /** Senders with packets under way, in no order, and how many there are. */
    private LaneSender[] pushed = new LaneSender[4];
    private int pushes;
    private String broken;
    /**
     * What ends tell each other that leave, to which the host's MPI may write as long as this lives; null until then.
     */
    private NativeMemory leaving;
    private final Thread tender = new Thread(this::tend, "brigade-mpi");
    private volatile boolean ending;

    /**
     * @param communicator of this fabric alone; ranks in it are the job's
     * @param direct whether the MPIs of all ranks read and write device memory
     */
    HostMpiEnd(int rank, int ranks, long communicator, HostMpiSettings settings, boolean direct) {
        this(rank, ranks, communicator, settings, direct, false, new ChunkPool());
    }

    /** With {@code together}, for tests, all ranks are in one process, which is alone in the communicator. */
    HostMpiEnd(int rank, int ranks, long communicator, HostMpiSettings settings, boolean direct, boolean together,
        ChunkPool chunks) {
        this.chunks = chunks;
        this.direct = direct;
        this.rank = rank;
        this.communicator = communicator;
        this.together = together;
        this.settings = settings;
        this.ranks = ranks;
        peers = new PeerTable<>(ranks);
        synchronized (LOCK) {
            data = new Inflow(tag(rank, DATA), DATA_PACKETS, PIECE_BYTES, communicator, packet -> came(packet, DATA));
            notices = new Inflow(tag(rank, NOTICES), NOTICE_PACKETS, UNIT_BYTES, communicator,
                packet -> came(packet, NOTICES));
        }
        tender.setDaemon(true);
        tender.start();
    }

    int rank() {
        return rank;
    }

    private static int sort(int lane) {
        return lane == CONTROL ? NOTICES : DATA;
    }

    private int tag(int receiver, int sort) {
        return together ? 2 * receiver + sort : sort;
    }

    /** Hands a packet to the host's MPI. */
    void post(Packet packet, int length, int peer, int lane) {
        packet.send(length, together ? 0 : peer, tag(peer, sort(lane)), communicator);
    }

    // ---- pieces without a head, between a pair and lane's ends ----

    /** Each pair and lane needs one of its own, where there is no other way to tell them apart. */
    private int pieceTag(int sender, int receiver, int lane) {
        return 2 + (together ? 2 * ranks + (sender * ranks + receiver) * LANES : 0) + lane;
    }

    void sendPiece(DeviceTransfer transfer, CopyEngine copies, DeviceBuffer memory, long address, int length, int peer,
        int lane) {
        transfer.send(copies, memory, address, length, together ? 0 : peer, pieceTag(rank, peer, lane), communicator);
    }

    void receivePiece(DeviceTransfer transfer, CopyEngine copies, DeviceBuffer memory, long address, int length,
        int peer, int lane) {
        transfer.receive(copies, memory, address, length, together ? 0 : peer, pieceTag(peer, rank, lane),
            communicator);
    }

    int window(int lane) {
        return lane == CONTROL ? NOTICE_WINDOW : settings.windowBytes();
    }

    @Override
    public Link link(int peer, int lane) {
        synchronized (LOCK) {
            return lane == CONTROL ? peer(peer).link(lane) : peer(peer).front(this, lane, chunks, direct);
        }
    }

    private HostMpiPeer peer(int number) {
        HostMpiPeer peer = peers.get(number);
        if (peer == null) {
            peer = new HostMpiPeer(this, number);
            peers.put(number, peer);
        }
        return peer;
    }

    /** Something goes to a peer or comes from it. */
    void meet(int number) {
        HostMpiPeer peer = peer(number);
        if (!peer.met) {
            peer.met = true;
            if (metCount == met.length) {
                met = Arrays.copyOf(met, 2 * metCount);
            }
            met[metCount++] = number;
        }
    }

    @Override
    public int met() {
        synchronized (LOCK) {
            look(this, 0);
            return metCount;
        }
    }

    @Override
    public int met(int number) {
        synchronized (LOCK) {
            return met[number];
        }
    }

    // ---- packets ----

    /** One to send a piece of so many bytes in, or to keep it in. */
    Packet packet(int length) {
        PacketQueue free = length <= UNIT_BYTES ? small : large;
        return free.isEmpty() ? new Packet(length <= UNIT_BYTES ? UNIT_BYTES : PIECE_BYTES) : free.remove();
    }

    /** Takes back one of {@link #packet}. */
    void recycle(Packet packet) {
        (packet.capacity == UNIT_BYTES ? small : large).add(packet);
    }

    /** Takes back one that has come and is empty: a receiver, or the smaller one in which a short piece was kept. */
    void release(Packet packet, int lane) {
        if (!packet.isReceiver()) {
            recycle(packet);
        } else {
            (lane == CONTROL ? notices : data).release(packet);
        }
    }

    /** A sender has packets under way: it is pushed until it has none. */
    void pushes(LaneSender sender) {
        if (pushes == pushed.length) {
            pushed = Arrays.copyOf(pushed, 2 * pushes);
        }
        pushed[pushes++] = sender;
    }

    @Override
    public void push() {
        if (pushes == 0) {
            return;
        }
        synchronized (LOCK) {
            int kept = 0;
            for (int i = 0; i < pushes; i++) {
                LaneSender sender = pushed[i];
                if (isPushed(sender)) {
                    pushed[kept++] = sender;
                }
            }
            Arrays.fill(pushed, kept, pushes, null);
            pushes = kept;
        }
    }

    private boolean isPushed(LaneSender sender) {
        try {
            return isUsable(sender.peer()) && sender.push();
        } catch (HostMpiException e) {
            failed(sender.peer(), e);
            return false;
        }
    }

    /** What a peer is told with each packet: units taken of a lane. */
    int report(int peer, int lane) {
        return peer(peer).link(lane).in().report();
    }

    void sendCredit(int peer, int lane) {
        send(peer, CREDIT, lane);
    }

    /** Sends a head alone. */
    private void send(int peer, int what, int lane) {
        if (!isUsable(peer)) {
            return;
        }
        try {
            while (!underWay.isEmpty() && underWay.head().ended()) {
                recycle(underWay.remove());
            }
            Packet packet = packet(0);
            packet.head(rank, PacketDescriptor.what(what, lane, 0), 0, 0, 0, report(peer, lane));
            post(packet, 0, peer, lane);
            underWay.add(packet);
        } catch (HostMpiException e) {
            failed(peer, e);
        }
    }

    // ---- arrivals ----

    /** Takes in what has come for a lane's kind of messages. */
    void look(Object asking, int lane) {
        if (broken == null) {
            try {
                (lane == CONTROL ? notices : data).look(asking);
            } catch (HostMpiException e) {
                broken(e);
            }
        }
    }

    /** Someone has all of a message, and will wait for others from now on. */
    void taken(int lane) {
        (lane == CONTROL ? notices : data).taken();
    }

    private boolean came(Packet packet, int sort) {
        int from = packet.rank();
        int what = packet.what();
        int lane = what >>> 16 & 0xff;
        if ((what & 0xff) != VERSION || from < 0 || from >= ranks || lane >= LANES || sort(lane) != sort
            || packet.length() < 0 || packet.length() > packet.capacity) {
            broken =
                "something has come by the host's MPI that is none of Brigade's messages; give all ranks the same brigade.jar";
            return true;
        }
        meet(from);
        HostMpiPeer peer = peer(from);
        peer.heard = now();
        peer.asked = 0;
        HostMpiLink link = peer.link(lane);
        if (!link.out().credit(packet.units())) {
            refuse(from, "has taken more than was sent to it, on lane " + lane);
            return true;
        }
        switch (what >>> 24) {
            case FIRST, NEXT -> {
                try {
                    return link.in().came(packet, what >>> 24 == FIRST);
                } catch (IllegalStateException wrong) {
                    refuse(from, wrong.getMessage());
                }
            }
            case ASK -> send(from, ALIVE, CONTROL);
            case CREDIT, ALIVE -> {
                // it has said all it had to say
            }
            default -> refuse(from, "has sent a packet of kind " + (what >>> 24));
        }
        return true;
    }

    // ---- what becomes of peers ----

    private static long now() {
        long now = System.nanoTime();
        return now == 0 ? 1 : now;
    }

    private void refuse(int peer, String why) {
        if (peer(peer).failure == null) {
            peer(peer).failure = "rank " + peer + " " + why + "; give all ranks the same brigade.jar";
        }
    }

    void failed(int peer, HostMpiException e) {
        if (peer(peer).failure == null) {
            peer(peer).failure = "rank " + peer + " cannot be reached by the host's MPI: " + e.getMessage();
        }
    }

    private void broken(HostMpiException e) {
        if (broken == null) {
            broken = "the host's MPI can receive nothing more: " + e.getMessage();
        }
    }

    boolean isUsable(int peer) {
        return broken == null && (peers.get(peer) == null || peers.get(peer).failure == null);
    }

    @Override
    public boolean isConnected(int peer) {
        synchronized (LOCK) {
            return peers.get(peer) != null && peers.get(peer).met;
        }
    }

    /**
     * A peer that is asked after is one that somebody waits for, or may: if it has been silent it is asked for a sign
     * of life.
     */
    @Override
    public String lost(int peer) {
        synchronized (LOCK) {
            return look(peer);
        }
    }

    private String look(int number) {
        HostMpiPeer peer = peers.get(number);
        if (broken != null || peer != null && peer.failure != null) {
            return peer != null && peer.failure != null ? peer.failure : broken;
        }
        if (peer == null || !peer.met || settings.patienceNanos() == 0) {
            return null;
        }
        long now = now();
        if (peer.heard == 0) {
            peer.heard = now;
        }
        if (peer.asked == 0) {
            if (now - peer.heard > ASK_NANOS) {
                peer.asked = now;
                send(number, ASK, CONTROL);
            }
        } else if (now - peer.asked > settings.patienceNanos()) {
            peer.failure =
                "rank " + number + " has given no sign of life for " + settings.patienceNanos() / 1_000_000_000
                    + " s (brigade.mpi.patience): its node or the network to it is down, or it is stopped";
        }
        return peer.failure;
    }

    private void tend() {
        while (!ending) {
            LockSupport.parkNanos(TEND_NANOS);
            synchronized (LOCK) {
                if (!ending && broken == null) {
                    try {
                        while (notices.look()) {
                            // the next one
                        }
                    } catch (HostMpiException e) {
                        broken(e);
                    }
                }
            }
        }
    }

    @Override
    public boolean yields() {
        return true;
    }

    // ---- end ----

    @Override
    public void close() {
        ending = true;
        LockSupport.unpark(tender);
        long deadline = System.nanoTime() + DRAIN_NANOS;
        while (!drained() && System.nanoTime() - deadline < 0) {
            Thread.yield();
        }
        if (!together) {
            awaitOthers();
        }
        synchronized (LOCK) {
            if (broken == null) {
                data.close();
                notices.close();
                broken = "this rank has finalized";
            }
        }
        for (int i = 0; i < metCount; i++) {
            peers.get(met[i]).closeStaged();
        }
        chunks.close();
    }

    /** Begins to say that this end leaves. */
    private void leave() {
        if (broken == null && leaving == null) {
            leaving = NativeMemory.allocate(2 * HostMpi.REQUEST_BYTES + ranks);
            long at = leaving.address();
            HostMpi.allgather(at + HostMpi.REQUEST_BYTES, 1, at + 2 * HostMpi.REQUEST_BYTES, communicator, at);
        }
    }

    /** Of an end that stays as long as any other does, and is asked again and again: whether all others leave. */
    boolean allLeave() {
        synchronized (LOCK) {
            try {
                leave();
                return broken != null || HostMpi.test(leaving.address());
            } catch (HostMpiException e) {
                broken(e);
                return true;
            }
        }
    }

    /**
     * Until all have sent all, so that nothing comes when nobody receives, which some MPIs complain about. Not for
     * long: who has gone otherwise will not come.
     */
    private void awaitOthers() {
        long deadline = System.nanoTime() + CLOSE_NANOS;
        try {
            boolean all = false;
            while (!all && System.nanoTime() - deadline < 0) {
                synchronized (LOCK) {
                    leave();
                    all = broken != null || HostMpi.test(leaving.address());
                    for (int i = 0; i < FINAL_LOOKS && broken == null && (notices.look() | data.look()); i++) {
                        // the next one
                    }
                }
                Thread.yield();
            }
        } catch (HostMpiException e) {
            broken(e);
        }
    }

    /** Whether all that was accepted has left. */
    private boolean drained() {
        synchronized (LOCK) {
            return broken != null || haveLeft();
        }
    }

    private boolean haveLeft() {
        try {
            for (int i = 0; i < metCount; i++) {
                HostMpiPeer peer = peers.get(met[i]);
                if (peer.failure == null && !peer.drained()) {
                    return false;
                }
            }
            while (!underWay.isEmpty()) {
                if (!underWay.head().ended()) {
                    return false;
                }
                recycle(underWay.remove());
            }
        } catch (HostMpiException e) {
            broken(e);
        }
        return true;
    }
}

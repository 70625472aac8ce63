package org.brigade.transport.packet;

import static org.brigade.transport.packet.PacketDescriptor.*;

import java.util.concurrent.locks.LockSupport;
import org.brigade.interrupt.Nap;
import org.brigade.memory.Region;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.staging.ChunkPool;

/**
 * A rank's end of a fabric on a {@link MessageCarrier}. {@link Packets} sends and receives; {@link PacketPeers} keeps
 * track of the peers. Only threads that wait for data move it. A thread, the tender, wakes now and then and answers
 * peers that ask for a sign of life. So a peer that computes for a long time can be told from one that is gone.
 */
public final class PacketEnd implements FabricEnd, Inflow.Receiver {
    private static final int NOTICE_WINDOW = 64 << 10;
    private static final long DRAIN_NANOS = 10_000_000_000L;
    private static final long CLOSE_NANOS = 2_000_000_000L;
    private static final int FINAL_LOOKS = 64;

    /** The carrier's. */
    final Object lock;
    final Packets packets;
    final PacketPeers peers;
    private final int ranks;
    private final int windowBytes;
    private final boolean together;
    /** Whether the libraries of all ranks read and write device memory. */
    private final boolean direct;
    private final ChunkPool chunks;
    private final Thread tender = new Thread(this::tend, "brigade-mpi");
    private volatile boolean ending;

    /**
     * @param carrier used by this end alone
     * @param windowBytes the most bytes that may be on their way, or lie untaken at the receiver, on one lane from one
     * rank to another
     * @param patienceNanos how long a peer that a thread waits for may give no sign of life; 0 for ever
     * @param direct whether the libraries of all ranks read and write device memory
     */
    public PacketEnd(int rank, int ranks, MessageCarrier carrier, int windowBytes, long patienceNanos, boolean direct) {
        this(rank, ranks, carrier, windowBytes, patienceNanos, direct, false, new ChunkPool());
    }

    /**
     * With {@code together}, for tests, all ranks are in one process, the carrier's only rank, and close no carrier.
     */
    public PacketEnd(int rank, int ranks, MessageCarrier carrier, int windowBytes, long patienceNanos, boolean direct,
        boolean together, ChunkPool chunks) {
        lock = carrier.lock();
        this.ranks = ranks;
        this.windowBytes = windowBytes;
        this.together = together;
        this.direct = direct;
        this.chunks = chunks;
        peers = new PacketPeers(this, ranks, carrier, patienceNanos);
        synchronized (lock) {
            packets = new Packets(rank, ranks, carrier, together, this);
        }
        tender.setDaemon(true);
        tender.start();
    }

    int window(int lane) {
        return lane == CONTROL ? NOTICE_WINDOW : windowBytes;
    }

    @Override
    public Link link(int peer, int lane) {
        synchronized (lock) {
            return lane == CONTROL ? peers.get(peer).link(lane) : peers.get(peer).front(this, lane, chunks, direct);
        }
    }

    @Override
    public int met() {
        synchronized (lock) {
            look(this, 0);
            return peers.met();
        }
    }

    @Override
    public int met(int number) {
        synchronized (lock) {
            return peers.met(number);
        }
    }

    @Override
    public boolean isConnected(int peer) {
        synchronized (lock) {
            return peers.isMet(peer);
        }
    }

    @Override
    public String lost(int peer) {
        synchronized (lock) {
            return peers.lost(peer);
        }
    }

    @Override
    public boolean yields() {
        return true;
    }

    @Override
    public boolean wakes() {
        return packets.carrier.wakes();
    }

    @Override
    public void sleep(long nanos) {
        synchronized (lock) {
            if (ending || peers.isBroken() || !packets.carrier.arm()) {
                return;
            }
        }
        packets.carrier.sleep(nanos);
    }

    // ---- sending ----

    @Override
    public void push() {
        if (peers.arePushed()) {
            synchronized (lock) {
                peers.push();
            }
        }
    }

    /** Sends a head alone. */
    void send(int peer, int what, int lane) {
        send(peer, what, 0, lane);
    }

    void send(int peer, int what, long bytes, int lane) {
        if (peers.isUsable(peer)) {
            try {
                packets.postHead(what, bytes, peers.get(peer).link(lane).in().report(), peer, lane);
            } catch (CarrierException e) {
                peers.failed(peer, e);
            }
        }
    }

    /** How {@link #isLong} messages go, and the others, as words for users. */
    public static String longProtocol() {
        int unit = 1 << 10;
        return "packets of " + PIECE_BYTES / unit + " KiB; from " + LONG_BYTES / unit
            + " KiB on out of direct buffers, "
            + PACKED_BYTES / unit + " KiB in packets and the rest straight from there in pieces of "
            + LONG_PIECE_BYTES / unit + " KiB";
    }

    /** Whether a message goes on in long pieces after its first packets. */
    boolean isLong(Region source, long bytes, int lane) {
        return bytes >= LONG_BYTES && lane != CONTROL && packets.carrier.carriesLong() && source.isNative();
    }

    // ---- arrivals ----

    /** Takes in what has arrived for messages of a lane's kind. */
    void look(Object asking, int lane) {
        if (!peers.isBroken()) {
            try {
                packets.inflow(lane).look(asking);
            } catch (CarrierException e) {
                peers.broken(e);
            }
        }
    }

    @Override
    public boolean came(Packet packet, Inflow by) {
        int from = packet.rank();
        int what = packet.what();
        int lane = what >>> 16 & 0xff;
        if ((what & 0xff) != VERSION || from < 0 || from >= ranks || lane >= LANES || packets.inflow(lane) != by
            || packet.length() < 0 || packet.length() > packet.capacity) {
            peers.broken(
                packets.carrier.name()
                    + " has delivered a message that is not Brigade's; give all ranks the same brigade.jar");
            return true;
        }
        PacketLink link = peers.heard(from).link(lane);
        if (!link.out().credit(packet.units())) {
            peers.refuse(from, "says it received more than was sent to it, on lane " + lane);
            return true;
        }
        switch (what >>> 24) {
            case FIRST, NEXT, LONG -> {
                if (!link.in().isNext(packet)) {
                    peers.lostPiece(from);
                    return true;
                }
                try {
                    return link.in().came(packet, what >>> 24);
                } catch (IllegalStateException wrong) {
                    peers.refuse(from, wrong.getMessage());
                }
            }
            case GRANT -> {
                if (!link.out().grant(packet.total())) {
                    peers.refuse(from, "asks for bytes that no message has, on lane " + lane);
                }
            }
            case ASK -> send(from, ALIVE, CONTROL);
            case CREDIT, ALIVE -> {
                // the head has said everything
            }
            default -> peers.refuse(from, "has sent a packet of kind " + (what >>> 24));
        }
        return true;
    }

    private void tend() {
        while (!ending) {
            Nap.ownThread(MessageCarrier.TEND_NANOS);
            synchronized (lock) {
                while (!ending && lookFor(CONTROL)) {
                    // the next one
                }
                if (!ending && peers.areAsked()) {
                    peers.seekUnreachable();
                }
            }
        }
    }

    /** Takes in at most one packet for messages of a lane's kind; returns whether there was one. */
    private boolean lookFor(int lane) {
        try {
            return !peers.isBroken() && packets.inflow(lane).look();
        } catch (CarrierException e) {
            peers.broken(e);
            return false;
        } catch (RuntimeException | Error e) {
            peers.broken("looking for packets failed: " + e); // the tender ends with it, and nobody would know
            throw e;
        }
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
        synchronized (lock) {
            if (!peers.isBroken()) {
                packets.close();
                if (!together) {
                    packets.carrier.close();
                }
                peers.broken("this rank has finalized");
            }
        }
        peers.closeStaged();
        chunks.close();
    }

    /** Whether everything accepted has left. */
    private boolean drained() {
        synchronized (lock) {
            return peers.drained(packets);
        }
    }

    /** Whether all others leave. For an end that stays as long as any other does, and asks again and again. */
    public boolean allLeave() {
        synchronized (lock) {
            return peers.allLeave();
        }
    }

    /**
     * Waits until all have sent everything, so that no message arrives without a receiver, which some libraries
     * complain about. The wait is short, because a rank that ended in another way will not come.
     */
    private void awaitOthers() {
        long deadline = System.nanoTime() + CLOSE_NANOS;
        boolean all;
        do {
            all = allLeave();
            synchronized (lock) {
                for (int i = 0; i < FINAL_LOOKS && (lookFor(CONTROL) | lookFor(Endpoint.COLLECTIVE)); i++) {
                    // the next ones
                }
            }
            Thread.yield();
        } while (!all && System.nanoTime() - deadline < 0);
    }
}

package org.brigade.transport.hostmpi;

import static org.brigade.transport.hostmpi.PacketDescriptor.*;

import java.util.concurrent.locks.LockSupport;
import org.brigade.interrupt.Nap;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.hostmpi.library.HostMpiException;
import org.brigade.transport.staging.ChunkPool;

/**
 * A rank's end of a fabric on the host's MPI. {@link Packets} sends and receives; {@link HostMpiPeers} keeps track of
 * the peers. Only threads that wait for data move it. A thread, the tender, wakes now and then and answers peers that
 * ask for a sign of life. So a peer that computes for a long time can be told from one that is gone.
 */
final class HostMpiEnd implements FabricEnd, Inflow.Receiver {
    private static final int NOTICE_WINDOW = 64 << 10;
    private static final long TEND_NANOS = 500_000_000L;
    private static final long DRAIN_NANOS = 10_000_000_000L;
    private static final long CLOSE_NANOS = 2_000_000_000L;
    private static final int FINAL_LOOKS = 64;

    /** Only one thread at a time calls the host's MPI, even if that allows more. */
    static final Object LOCK = new Object();

    final Packets packets;
    final HostMpiPeers peers;
    private final int ranks;
    private final int windowBytes;
    private final boolean together;
    /** Whether the MPIs of all ranks read and write device memory. */
    private final boolean direct;
    private final ChunkPool chunks;
    private final Thread tender = new Thread(this::tend, "brigade-mpi");
    private volatile boolean ending;

    /**
     * @param communicator used by this fabric alone; its ranks are the job's
     * @param direct whether the MPIs of all ranks read and write device memory
     */
    HostMpiEnd(int rank, int ranks, long communicator, HostMpiSettings settings, boolean direct) {
        this(rank, ranks, communicator, settings, direct, false, new ChunkPool());
    }

    /** With {@code together}, for tests, all ranks are in one process, the only one in the communicator. */
    HostMpiEnd(int rank, int ranks, long communicator, HostMpiSettings settings, boolean direct, boolean together,
        ChunkPool chunks) {
        this.ranks = ranks;
        this.windowBytes = settings.windowBytes();
        this.together = together;
        this.direct = direct;
        this.chunks = chunks;
        peers = new HostMpiPeers(this, ranks, communicator, settings.patienceNanos());
        synchronized (LOCK) {
            packets = new Packets(rank, ranks, communicator, together, this);
        }
        tender.setDaemon(true);
        tender.start();
    }

    int window(int lane) {
        return lane == CONTROL ? NOTICE_WINDOW : windowBytes;
    }

    @Override
    public Link link(int peer, int lane) {
        synchronized (LOCK) {
            return lane == CONTROL ? peers.get(peer).link(lane) : peers.get(peer).front(this, lane, chunks, direct);
        }
    }

    @Override
    public int met() {
        synchronized (LOCK) {
            look(this, 0);
            return peers.met();
        }
    }

    @Override
    public int met(int number) {
        synchronized (LOCK) {
            return peers.met(number);
        }
    }

    @Override
    public boolean isConnected(int peer) {
        synchronized (LOCK) {
            return peers.isMet(peer);
        }
    }

    @Override
    public String lost(int peer) {
        synchronized (LOCK) {
            return peers.lost(peer);
        }
    }

    @Override
    public boolean yields() {
        return true;
    }

    // ---- sending ----

    @Override
    public void push() {
        if (peers.arePushed()) {
            synchronized (LOCK) {
                peers.push();
            }
        }
    }

    /** Sends a head alone. */
    void send(int peer, int what, int lane) {
        if (peers.isUsable(peer)) {
            try {
                packets.postHead(what, peers.get(peer).link(lane).in().report(), peer, lane);
            } catch (HostMpiException e) {
                peers.failed(peer, e);
            }
        }
    }

    // ---- arrivals ----

    /** Takes in what has arrived for messages of a lane's kind. */
    void look(Object asking, int lane) {
        if (!peers.isBroken()) {
            try {
                packets.inflow(lane).look(asking);
            } catch (HostMpiException e) {
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
                "the host's MPI has delivered a message that is not Brigade's; give all ranks the same brigade.jar");
            return true;
        }
        HostMpiLink link = peers.heard(from).link(lane);
        if (!link.out().credit(packet.units())) {
            peers.refuse(from, "says it received more than was sent to it, on lane " + lane);
            return true;
        }
        switch (what >>> 24) {
            case FIRST, NEXT -> {
                try {
                    return link.in().came(packet, what >>> 24 == FIRST);
                } catch (IllegalStateException wrong) {
                    peers.refuse(from, wrong.getMessage());
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
            Nap.ownThread(TEND_NANOS);
            synchronized (LOCK) {
                while (!ending && lookFor(CONTROL)) {
                    // the next one
                }
            }
        }
    }

    /** Takes in at most one packet for messages of a lane's kind; returns whether there was one. */
    private boolean lookFor(int lane) {
        try {
            return !peers.isBroken() && packets.inflow(lane).look();
        } catch (HostMpiException e) {
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
        synchronized (LOCK) {
            if (!peers.isBroken()) {
                packets.close();
                peers.broken("this rank has finalized");
            }
        }
        peers.closeStaged();
        chunks.close();
    }

    /** Whether everything accepted has left. */
    private boolean drained() {
        synchronized (LOCK) {
            return peers.drained(packets);
        }
    }

    /** Whether all others leave. For an end that stays as long as any other does, and asks again and again. */
    boolean allLeave() {
        synchronized (LOCK) {
            return peers.allLeave();
        }
    }

    /**
     * Waits until all have sent everything, so that no message arrives without a receiver, which some MPIs complain
     * about. The wait is short, because a rank that ended in another way will not come.
     */
    private void awaitOthers() {
        long deadline = System.nanoTime() + CLOSE_NANOS;
        boolean all;
        do {
            all = allLeave();
            synchronized (LOCK) {
                for (int i = 0; i < FINAL_LOOKS && (lookFor(CONTROL) | lookFor(Endpoint.COLLECTIVE)); i++) {
                    // the next ones
                }
            }
            Thread.yield();
        } while (!all && System.nanoTime() - deadline < 0);
    }
}

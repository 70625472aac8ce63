package org.brigade.transport.hostmpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.PeerTable;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.hostmpi.library.HostMpiException;

/**
 * The peers of an end: which of them it has met, which give no sign of life, and which leave. Under
 * {@link HostMpiEnd#LOCK}.
 */
final class HostMpiPeers {
    /** After this long a silence, a peer that a thread waits for is asked for a sign of life. */
    private static final long ASK_NANOS = 3_000_000_000L;

    private final HostMpiEnd end;
    private final int ranks;
    private final long communicator;
    private final long patienceNanos;
    private final PeerTable<HostMpiPeer> peers;
    /** Peers that something has gone to or come from, in the order in which they were met. */
    private int[] met = new int[8];
    private int metCount;
    /** Senders with packets under way, in no order. */
    private final List<LaneSender> pushed = new ArrayList<>();
    /** Why no traffic is possible any more, with any peer; null if it is. */
    private String broken;
    /**
     * The words by which ends tell each other that they leave; null until then. The host's MPI may write there as long
     * as this object lives.
     */
    private NativeMemory leaving;

    HostMpiPeers(HostMpiEnd end, int ranks, long communicator, long patienceNanos) {
        this.end = end;
        this.ranks = ranks;
        this.communicator = communicator;
        this.patienceNanos = patienceNanos;
        peers = new PeerTable<>(ranks);
    }

    // ---- peers ----

    HostMpiPeer get(int number) {
        HostMpiPeer peer = peers.get(number);
        if (peer == null) {
            peer = new HostMpiPeer(end, number);
            peers.put(number, peer);
        }
        return peer;
    }

    /** Something goes to a peer or comes from it. */
    HostMpiPeer meet(int number) {
        HostMpiPeer peer = get(number);
        if (!peer.met) {
            peer.met = true;
            if (metCount == met.length) {
                met = Arrays.copyOf(met, 2 * metCount);
            }
            met[metCount++] = number;
        }
        return peer;
    }

    int met() {
        return metCount;
    }

    int met(int number) {
        return met[number];
    }

    boolean isMet(int number) {
        return peers.get(number) != null && peers.get(number).met;
    }

    // ---- signs of life ----

    private static long now() {
        long now = System.nanoTime();
        return now == 0 ? 1 : now;
    }

    /** Something has come from a peer. */
    HostMpiPeer heard(int number) {
        HostMpiPeer peer = meet(number);
        peer.heard = now();
        peer.asked = 0;
        return peer;
    }

    boolean isUsable(int number) {
        return broken == null && (peers.get(number) == null || peers.get(number).failure == null);
    }

    void refuse(int number, String why) {
        fail(number, "rank " + number + " " + why + "; give all ranks the same brigade.jar");
    }

    void failed(int number, HostMpiException e) {
        fail(number, "rank " + number + " cannot be reached by the host's MPI: " + e.getMessage());
    }

    private void fail(int number, String why) {
        HostMpiPeer peer = get(number);
        if (peer.failure == null) {
            peer.failure = why;
        }
    }

    boolean isBroken() {
        return broken != null;
    }

    void broken(HostMpiException e) {
        broken("the host's MPI can no longer receive: " + e.getMessage());
    }

    void broken(String why) {
        if (broken == null) {
            broken = why;
        }
    }

    /**
     * Why a peer cannot be reached; null if it can. The call shows that a thread waits for the peer, or may. So a peer
     * that has been silent is asked for a sign of life.
     */
    String lost(int number) {
        HostMpiPeer peer = peers.get(number);
        if (peer != null && peer.failure != null) {
            return peer.failure;
        }
        if (broken != null || peer == null || !peer.met || patienceNanos == 0) {
            return broken;
        }
        long now = now();
        if (peer.heard == 0) {
            peer.heard = now;
        }
        if (peer.asked == 0) {
            if (now - peer.heard > ASK_NANOS) {
                peer.asked = now;
                end.send(number, PacketDescriptor.ASK, HostMpiEnd.CONTROL);
            }
        } else if (now - peer.asked > patienceNanos) {
            peer.failure = "rank " + number + " has given no sign of life for " + patienceNanos / 1_000_000_000
                + " s (brigade.mpi.patience): its node or the network to it is down, or it is stopped";
        }
        return peer.failure;
    }

    // ---- packets under way ----

    /** A sender has packets under way: {@link #push} moves it until it has none. */
    void pushes(LaneSender sender) {
        pushed.add(sender);
    }

    boolean arePushed() {
        return !pushed.isEmpty();
    }

    void push() {
        for (int i = pushed.size() - 1; i >= 0; i--) {
            if (!isPushed(pushed.get(i))) {
                LaneSender last = pushed.remove(pushed.size() - 1);
                if (i < pushed.size()) {
                    pushed.set(i, last);
                }
            }
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

    // ---- end ----

    /** Whether everything accepted for the remaining peers has left, or never will. */
    boolean drained(Packets packets) {
        try {
            for (int i = 0; i < metCount && broken == null; i++) {
                HostMpiPeer peer = peers.get(met[i]);
                if (peer.failure == null && !peer.drained()) {
                    return false;
                }
            }
            return broken != null || packets.drained();
        } catch (HostMpiException e) {
            broken(e);
            return true;
        }
    }

    /** Says once that this end leaves; returns whether all others have said so, or never will. */
    boolean allLeave() {
        try {
            if (broken == null && leaving == null) {
                leaving = NativeMemory.allocate(2 * HostMpi.REQUEST_BYTES + ranks);
                long at = leaving.address();
                HostMpi.allgather(at + HostMpi.REQUEST_BYTES, 1, at + 2 * HostMpi.REQUEST_BYTES, communicator, at);
            }
            return broken != null || HostMpi.test(leaving.address());
        } catch (HostMpiException e) {
            broken(e);
            return true;
        }
    }

    void closeStaged() {
        for (int i = 0; i < metCount; i++) {
            peers.get(met[i]).closeStaged();
        }
    }
}

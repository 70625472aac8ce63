package org.brigade.transport.hostmpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.PeerTable;
import org.brigade.transport.hostmpi.library.HostMpi;
import org.brigade.transport.hostmpi.library.HostMpiException;

/**
 * The peers of an end, and what becomes of them: whom it has met, who gives no sign of life, who leaves. Under
 * {@link HostMpiEnd#LOCK}.
 */
final class HostMpiPeers {
    /** Silence after which a peer that is waited for is asked. */
    private static final long ASK_NANOS = 3_000_000_000L;

    private final HostMpiEnd end;
    private final int ranks;
    private final long communicator;
    private final long patienceNanos;
    private final PeerTable<HostMpiPeer> peers;
    /** Those that something has gone to or come from, in the order in which they were met. */
    private int[] met = new int[8];
    private int metCount;
    /** Senders with packets under way, in no order. */
    private final List<LaneSender> pushed = new ArrayList<>();
    /** Why nothing goes and comes any more, whoever the peer; null if all is well. */
    private String broken;
    /**
     * What ends tell each other that leave, to which the host's MPI may write as long as this lives; null until then.
     */
    private NativeMemory leaving;

    HostMpiPeers(HostMpiEnd end, int ranks, long communicator, long patienceNanos) {
        this.end = end;
        this.ranks = ranks;
        this.communicator = communicator;
        this.patienceNanos = patienceNanos;
        peers = new PeerTable<>(ranks);
    }

    // ---- who they are ----

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

    // ---- whether they live ----

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
        broken("the host's MPI can receive nothing more: " + e.getMessage());
    }

    void broken(String why) {
        if (broken == null) {
            broken = why;
        }
    }

    /**
     * Why a peer cannot be reached; null if all is well. One that is asked after is one that somebody waits for, or
     * may: if it has been silent it is asked for a sign of life.
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

    // ---- what is on its way to them ----

    /** A sender has packets under way: it is pushed until it has none. */
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

    // ---- how they end ----

    /** Whether all that was accepted for those that are still there has left, or never will. */
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

    /** Says that this end leaves, once; whether all others have said so, or never will. */
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

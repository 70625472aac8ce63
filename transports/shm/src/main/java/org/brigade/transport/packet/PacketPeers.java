package org.brigade.transport.packet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.brigade.transport.PeerTable;

/**
 * The peers of an end: which of them it has met, which give no sign of life, and which leave. Under
 * {@link PacketEnd#lock}.
 */
final class PacketPeers implements LongPieces.Losses {
    private final PacketEnd end;
    private final MessageCarrier carrier;
    private final long patienceNanos;
    private final PeerTable<PacketPeer> peers;
    /** Peers that something has gone to or come from, in the order in which they were met. */
    private int[] met = new int[8];
    private int metCount;
    /** Senders with packets under way, in no order. */
    private final List<LaneSender> pushed = new ArrayList<>();
    /** Whether a peer has been asked for a sign of life, and not all have answered. */
    private volatile boolean isAsked;
    /** Why no traffic is possible any more, with any peer; null if it is. */
    private String broken;

    PacketPeers(PacketEnd end, int ranks, MessageCarrier carrier, long patienceNanos) {
        this.end = end;
        this.carrier = carrier;
        this.patienceNanos = patienceNanos;
        peers = new PeerTable<>(ranks);
    }

    // ---- peers ----

    PacketPeer get(int number) {
        PacketPeer peer = peers.get(number);
        if (peer == null) {
            peer = new PacketPeer(end, number);
            peers.put(number, peer);
        }
        return peer;
    }

    /** Something goes to a peer or comes from it. */
    PacketPeer meet(int number) {
        PacketPeer peer = get(number);
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

    /** Whether a peer that has been asked may not have answered yet. Without the lock. */
    boolean areAsked() {
        return isAsked;
    }

    /** Looks whether peers that do not answer can be reached at all. */
    void seekUnreachable() {
        boolean asked = false;
        for (int i = 0; i < metCount && !asked && broken == null; i++) {
            PacketPeer peer = peers.get(met[i]);
            asked = peer.asked != 0 && peer.failure == null;
        }
        if (!asked) {
            isAsked = false;
        }
        carrier.seekUnreachable();
    }

    /** Something has come from a peer. */
    PacketPeer heard(int number) {
        PacketPeer peer = meet(number);
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

    /** A piece of a peer's has not come, but one behind it. */
    void lostPiece(int number) {
        fail(number, "rank " + number + " has ended while it sent: a piece of its was lost");
    }

    @Override
    public void failed(int number, CarrierException e) {
        fail(number, "rank " + number + " cannot be reached by " + carrier.name() + ": " + e.getMessage());
    }

    @Override
    public void cut(int number, String why) {
        fail(number, "rank " + number + " " + why);
        carrier.cut(number);
    }

    private void fail(int number, String why) {
        PacketPeer peer = get(number);
        if (peer.failure == null) {
            peer.failure = why;
        }
    }

    boolean isBroken() {
        return broken != null;
    }

    void broken(CarrierException e) {
        broken(carrier.name() + " can no longer receive: " + e.getMessage());
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
        PacketPeer peer = peers.get(number);
        if (peer != null && peer.failure != null) {
            return peer.failure;
        }
        String noticed = broken == null ? carrier.lost(number) : null;
        if (noticed != null) {
            fail(number, "rank " + number + " " + noticed);
            return get(number).failure;
        }
        if (broken != null || peer == null || !peer.met || patienceNanos == 0) {
            return broken;
        }
        long now = now();
        if (peer.heard == 0) {
            peer.heard = now;
        }
        if (peer.asked == 0) {
            if (now - peer.heard > carrier.askNanos()) {
                peer.asked = now;
                peer.askAgainAfter = carrier.askNanos() / 2;
                isAsked = true;
                end.send(number, PacketDescriptor.ASK, PacketEnd.CONTROL);
            }
        } else if (now - peer.asked > patienceNanos) {
            cut(number, "has given no sign of life for " + patienceNanos / 1_000_000_000
                + " s (" + carrier.settings() + ".patience): its node or the network to it is down, or it is stopped");
        } else if (now - peer.asked > peer.askAgainAfter) {
            // Its host may have acknowledged the question, and the answer have been lost: then nothing is sent again on
            // the connection, and a cut link cannot be told from a process that is stopped.
            peer.askAgainAfter *= 2;
            end.send(number, PacketDescriptor.ASK, PacketEnd.CONTROL);
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
        } catch (CarrierException e) {
            failed(sender.peer(), e);
            return false;
        }
    }

    // ---- end ----

    /** Whether everything accepted for the remaining peers has left, or never will. */
    boolean drained(Packets packets) {
        try {
            for (int i = 0; i < metCount && broken == null; i++) {
                PacketPeer peer = peers.get(met[i]);
                if (peer.failure == null && !peer.drained()) {
                    return false;
                }
            }
            return broken != null || packets.drained();
        } catch (CarrierException e) {
            broken(e);
            return true;
        }
    }

    /** Says once that this end leaves; returns whether all others have said so, or never will. */
    boolean allLeave() {
        try {
            return broken != null || carrier.allLeave(met, metCount);
        } catch (CarrierException e) {
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

package org.brigade.matching;

import java.util.Arrays;
import org.brigade.transport.Endpoint;
import org.brigade.transport.PeerTable;

/** The ranks of the job that this rank has exchanged messages with. */
final class Peers {
    private final Endpoint endpoint;
    private final PeerTable<Peer> table;
    private Peer[] all = new Peer[8];
    private int count;
    /** The peer that was asked for last, as most messages go where the one before went. */
    private Peer last = new Peer(-1, null);

    Peers(Endpoint endpoint) {
        this.endpoint = endpoint;
        table = new PeerTable<>(endpoint.size());
    }

    /** The peer of a rank of the job; made on first use. */
    Peer of(int world) {
        Peer before = last;
        return before.world == world ? before : find(world);
    }

    private Peer find(int world) {
        Peer peer = table.get(world);
        last = peer != null ? peer : meet(world);
        return last;
    }

    private Peer meet(int world) {
        Peer peer = new Peer(world, endpoint.link(world, Endpoint.POINT_TO_POINT));
        table.put(world, peer);
        if (count == all.length) {
            all = Arrays.copyOf(all, 2 * count);
        }
        all[count++] = peer;
        return peer;
    }

    /** How many there are. */
    int count() {
        return count;
    }

    /** The peers in the order of their first use. */
    Peer get(int number) {
        return all[number];
    }
}

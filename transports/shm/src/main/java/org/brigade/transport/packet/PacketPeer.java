package org.brigade.transport.packet;

import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.staging.ChunkPool;
import org.brigade.transport.staging.PieceLink;
import org.brigade.transport.staging.StagedLink;

/**
 * An end's state of one peer. It exists once a caller asks for a link to the peer, or something comes from it. Under
 * the end's lock.
 */
final class PacketPeer {
    final int rank;
    private final PacketLink[] links = new PacketLink[FabricEnd.LANES];
    /**
     * The links that callers get: they carry device memory, stand in front of {@link #links}, and are made on first
     * use.
     */
    private final PieceLink[] fronts = new PieceLink[FabricEnd.LANES];
    /** Whether anything has gone to the peer or come from it. */
    boolean met;
    /** When the peer last gave a sign of life, and when it was asked for one since; 0 for never. */
    long heard;
    long asked;
    /** After so many nanoseconds without an answer it is asked once more. */
    long askAgainAfter;
    /** The peer's failure, as the carrier reported it or this end saw it; null if there is none. */
    String failure;

    PacketPeer(PacketEnd end, int rank) {
        this.rank = rank;
        for (int lane = 0; lane < links.length; lane++) {
            links[lane] = new PacketLink(end, rank, lane);
        }
    }

    PacketLink link(int lane) {
        return links[lane];
    }

    /** @param direct whether the libraries of both ends read and write device memory */
    Link front(PacketEnd end, int lane, ChunkPool chunks, boolean direct) {
        if (fronts[lane] == null) {
            fronts[lane] =
                direct ? new DirectLink(end, links[lane], lane, chunks) : new StagedLink(links[lane], chunks);
        }
        return fronts[lane];
    }

    /** Whether everything accepted has left. */
    boolean drained() {
        for (PacketLink link : links) {
            if (!link.drained()) {
                return false;
            }
        }
        return true;
    }

    void closeStaged() {
        for (PieceLink link : fronts) {
            if (link != null) {
                link.close();
            }
        }
    }
}

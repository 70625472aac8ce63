package org.brigade.transport.hostmpi;

import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;
import org.brigade.transport.staging.ChunkPool;
import org.brigade.transport.staging.PieceLink;
import org.brigade.transport.staging.StagedLink;

/**
 * What an end keeps of a peer: nothing until somebody asks for a link to it, or something comes from it. Under the
 * end's lock.
 */
final class HostMpiPeer {
    final int rank;
    private final HostMpiLink[] links = new HostMpiLink[FabricEnd.LANES];
    /** What callers get: in front of each link of theirs one for device memory, from its first use on. */
    private final PieceLink[] fronts = new PieceLink[FabricEnd.LANES];
    /** Whether anything has gone to it or come from it. */
    boolean met;
    /** When it last gave a sign of life, and when it was asked for one since; 0 for never. */
    long heard;
    long asked;
    /** What the host's MPI said of it, or what it did; null if all is well. */
    String failure;

    HostMpiPeer(HostMpiEnd end, int rank) {
        this.rank = rank;
        for (int lane = 0; lane < links.length; lane++) {
            links[lane] = new HostMpiLink(end, rank, lane);
        }
    }

    HostMpiLink link(int lane) {
        return links[lane];
    }

    /** @param direct whether the MPIs of both ends read and write device memory */
    Link front(HostMpiEnd end, int lane, ChunkPool chunks, boolean direct) {
        if (fronts[lane] == null) {
            fronts[lane] =
                direct ? new DirectLink(end, links[lane], lane, chunks) : new StagedLink(links[lane], chunks);
        }
        return fronts[lane];
    }

    /** Whether all that was accepted has left. */
    boolean drained() {
        for (HostMpiLink link : links) {
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

package org.brigade.transport.nodes;

import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;

/** The state of a rank of another node that this rank is connected to or has heard of. */
final class RemotePeer {
    private final CountedLink[] links = new CountedLink[Endpoint.LANES];
    /** What happened to the rank if it is lost; null otherwise. */
    String lost;
    boolean finished;
    /** When the rank last said that its process is ending; 0 if it has not. */
    long ending;
    /** By lane: how many messages the rank had sent when it entered Finalize; null until then. */
    long[] sentBefore;

    RemotePeer(FabricEnd fabric, int rank) {
        for (int lane = 0; lane < links.length; lane++) {
            links[lane] = new CountedLink(fabric.link(rank, lane));
        }
    }

    CountedLink link(int lane) {
        return links[lane];
    }

    /** Whether the rank was ending, and has not said so for that long. */
    boolean isSilent(long nanos) {
        return ending != 0 && System.nanoTime() - ending > nanos;
    }

    /** Whether the rank is in Finalize and all its messages have been received: the notice may have overtaken some. */
    boolean isLeaving() {
        if (sentBefore == null) {
            return false;
        }
        for (int lane = 0; lane < links.length; lane++) {
            if (links[lane].received() < sentBefore[lane]) {
                return false;
            }
        }
        return true;
    }
}

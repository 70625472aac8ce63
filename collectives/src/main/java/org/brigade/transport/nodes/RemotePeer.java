package org.brigade.transport.nodes;

import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;

/** What is kept of a rank of another node that this one has to do with, or has heard of. */
final class RemotePeer {
    private final CountedLink[] links = new CountedLink[Endpoint.LANES];
    /** What happened to it; null while it is there, as far as is known. */
    String lost;
    boolean finished;
    /** By lane: the messages that it has sent before it went to Finalize; null while it has not. */
    long[] sentBefore;

    RemotePeer(FabricEnd fabric, int rank) {
        for (int lane = 0; lane < links.length; lane++) {
            links[lane] = new CountedLink(fabric.link(rank, lane));
        }
    }

    CountedLink link(int lane) {
        return links[lane];
    }

    /** Whether it is in Finalize and all that it has sent is here: the notice may have overtaken messages. */
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

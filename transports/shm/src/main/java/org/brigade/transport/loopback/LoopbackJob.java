package org.brigade.transport.loopback;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.shm.SegmentDescriptor;
import org.brigade.transport.shm.SharedEndpoint;

/** A job whose ranks are threads of one process: the shared-memory protocols over private memory, for tests. */
public final class LoopbackJob {
    /** Two ranks have the rings that processes have by default. */
    private static final long BUDGET = 5 << 20;

    private LoopbackJob() {
    }

    /**
     * The endpoints of a job of so many ranks, by rank; each is for one thread at a time. They share {@link #BUDGET}
     * bytes, or what the shortest rings take if that is more.
     */
    public static Endpoint[] endpoints(int ranks) {
        SegmentDescriptor layout = SegmentDescriptor.forRanks(ranks, BUDGET);
        return layout != null ? endpoints(layout) : narrowEndpoints(ranks);
    }

    /** The same with the shortest possible rings, so that credit runs out soon. */
    public static Endpoint[] narrowEndpoints(int ranks) {
        return endpoints(SegmentDescriptor.smallest(ranks));
    }

    private static Endpoint[] endpoints(SegmentDescriptor layout) {
        NativeMemory memory = NativeMemory.allocate(Math.toIntExact(layout.bytes()));
        Endpoint[] ends = new Endpoint[layout.ranks()];
        for (int rank = 0; rank < ends.length; rank++) {
            ends[rank] = SharedEndpoint.ofThread(layout, memory, rank);
        }
        return ends;
    }
}

package org.brigade.transport.shm;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.LinkContract;

/** Links on which every message is streamed that can be. */
class StreamedLinkTest extends LinkContract {
    @Override
    protected Endpoint[] open(int ranks) {
        SegmentDescriptor layout = SegmentDescriptor.forRanks(ranks);
        NativeMemory memory = NativeMemory.allocate((int) layout.bytes());
        Endpoint[] ends = new Endpoint[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            ends[rank] = SharedEndpoint.ofThread(layout, memory, rank).lends(CopyWays.Use.NEVER)
                .streams(CopyWays.Use.ALWAYS);
        }
        return ends;
    }
}

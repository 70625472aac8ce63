package org.brigade.transport.shm;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.LinkContract;

/** Links on which every long message is lent that can be. */
class LentLinkTest extends LinkContract {
    @Override
    protected Endpoint[] open(int ranks) {
        SegmentDescriptor layout = SegmentDescriptor.forRanks(ranks);
        NativeMemory memory = NativeMemory.allocate((int) layout.bytes());
        Endpoint[] ends = new Endpoint[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            ends[rank] = SharedEndpoint.ofThread(layout, memory, rank).lends(CopyWays.Use.ALWAYS);
        }
        return ends;
    }
}

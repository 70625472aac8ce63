package org.brigade.transport.shm;

import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.FabricEnd;
import org.brigade.transport.Link;

/**
 * A rank's end of a fabric that is memory, too: twice the channels of a segment, as there is a lane more. It finds out
 * nothing about peers by itself.
 */
public final class PretendedEnd implements FabricEnd {
    private final Link[] links;

    /** @param memory of {@link #bytes}, zeros at first, that all ranks of the job share */
    public PretendedEnd(SegmentDescriptor layout, NativeMemory memory, int rank) {
        int half = (int) layout.bytes();
        NativeMemory[] halves =
            {new NativeMemory(memory.bytes.slice(0, half)), new NativeMemory(memory.bytes.slice(half, half))};
        links = new Link[layout.ranks() * LANES];
        for (int i = 0; i < links.length; i++) {
            int peer = i / LANES;
            int lane = i % LANES % Endpoint.LANES;
            NativeMemory its = halves[i % LANES / Endpoint.LANES];
            links[i] = new PlainLink(peer,
                new ChannelSender(its, layout.channel(rank, peer, lane), layout.slots(), layout.ringBytes()),
                new ChannelReceiver(its, layout.channel(peer, rank, lane), layout.slots(), layout.ringBytes()));
        }
    }

    public static int bytes(SegmentDescriptor layout) {
        return Math.toIntExact(2 * layout.bytes());
    }

    @Override
    public Link link(int peer, int lane) {
        return links[peer * LANES + lane];
    }

    @Override
    public int met() {
        return links.length / LANES;
    }

    @Override
    public int met(int number) {
        return number;
    }

    @Override
    public boolean isConnected(int peer) {
        return true;
    }

    @Override
    public String lost(int peer) {
        return null;
    }

    @Override
    public void close() {
        // The memory goes with the last who has it.
    }
}

package org.brigade.transport.nodes;

import java.util.Arrays;
import org.brigade.bootstrap.Exchange;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.Nodes;
import org.brigade.bootstrap.Processors;
import org.brigade.memory.NativeMemory;
import org.brigade.transport.Endpoint;
import org.brigade.transport.shm.PretendedEnd;
import org.brigade.transport.shm.SegmentDescriptor;
import org.brigade.transport.shm.SharedEndpoint;

/**
 * A job on several nodes whose ranks are threads of one process: a segment for each node, and a fabric of memory
 * between them.
 */
public final class NodesJob {
    /** Nobody is started here, so nobody is known to have gone. */
    private static final Exchange NONE = new Exchange() {
        @Override
        public byte[][] allgather(byte[] mine) {
            throw new UnsupportedOperationException("ranks that are threads have found each other");
        }

        @Override
        public String lost(int rank) {
            return null;
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    };

    private NodesJob() {
    }

    /** The ends of a job, by rank; each is for one thread at a time. */
    public static Endpoint[] endpoints(int... nodeOf) {
        return endpoints(false, nodeOf);
    }

    /** The same with the shortest rings there are, so that credit runs out soon. */
    public static Endpoint[] narrowEndpoints(int... nodeOf) {
        return endpoints(true, nodeOf);
    }

    private static Endpoint[] endpoints(boolean narrow, int[] nodeOf) {
        int size = nodeOf.length;
        int[] lowest = lowest(nodeOf);
        SegmentDescriptor between = layout(narrow, size);
        NativeMemory fabric = NativeMemory.allocate(PretendedEnd.bytes(between));
        NativeMemory[] segments = new NativeMemory[size];
        Endpoint[] ends = new Endpoint[size];
        for (int rank = 0; rank < size; rank++) {
            Nodes nodes = Nodes.of(rank, lowest);
            SegmentDescriptor within = layout(narrow, nodes.here().length);
            if (segments[lowest[rank]] == null) {
                segments[lowest[rank]] = NativeMemory.allocate((int) within.bytes());
            }
            SharedEndpoint node = SharedEndpoint.ofThread(within, segments[lowest[rank]], rank, nodes.here(), size);
            ends[rank] = new NodesEndpoint(node, "pretended", null, new PretendedEnd(between, fabric, rank), nodes,
                threads(ends.length), NONE);
        }
        return ends;
    }

    /** Ranks that are threads of this process. */
    private static MachineRanks threads(int ranks) {
        Processors[] all = new Processors[ranks];
        Arrays.fill(all, Processors.UNKNOWN);
        return new MachineRanks(all, 0, ranks);
    }

    private static SegmentDescriptor layout(boolean narrow, int ranks) {
        return narrow ? SegmentDescriptor.smallest(ranks) : SegmentDescriptor.forRanks(ranks, 5 << 20);
    }

    private static int[] lowest(int[] nodeOf) {
        int[] lowest = new int[nodeOf.length];
        for (int rank = 0; rank < lowest.length; rank++) {
            int first = 0;
            while (nodeOf[first] != nodeOf[rank]) {
                first++;
            }
            lowest[rank] = first;
        }
        return lowest;
    }
}

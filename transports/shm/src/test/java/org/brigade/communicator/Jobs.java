package org.brigade.communicator;

import java.util.stream.IntStream;
import org.brigade.transport.Endpoint;
import org.brigade.transport.chaos.ChaosEndpoint;
import org.brigade.transport.loopback.LoopbackJob;
import org.brigade.transport.nodes.NodesJob;

/** The links that a claim has to hold over. */
public enum Jobs {
    WIDE, NARROW, WILD,
    /** Ranks in turn on two nodes. */
    NODES;

    public Endpoint[] endpoints(int ranks, long seed) {
        return switch (this) {
            case WIDE -> LoopbackJob.endpoints(ranks);
            case NARROW -> LoopbackJob.narrowEndpoints(ranks);
            case WILD -> ChaosEndpoint
                .around(seed % 2 == 0 ? LoopbackJob.endpoints(ranks) : LoopbackJob.narrowEndpoints(ranks), seed);
            case NODES -> NodesJob.narrowEndpoints(IntStream.range(0, ranks).map(rank -> rank % 2).toArray());
        };
    }
}

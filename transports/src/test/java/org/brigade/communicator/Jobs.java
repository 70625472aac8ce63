package org.brigade.communicator;

import org.brigade.transport.Endpoint;
import org.brigade.transport.chaos.ChaosEndpoint;
import org.brigade.transport.loopback.LoopbackJob;

/** The links that a claim has to hold over. */
enum Jobs {
    WIDE, NARROW, WILD;

    Endpoint[] endpoints(int ranks, long seed) {
        return switch (this) {
            case WIDE -> LoopbackJob.endpoints(ranks);
            case NARROW -> LoopbackJob.narrowEndpoints(ranks);
            case WILD -> ChaosEndpoint.around(seed % 2 == 0 ? LoopbackJob.endpoints(ranks) : LoopbackJob.narrowEndpoints(ranks), seed);
        };
    }
}

package org.brigade.transport.chaos;

import org.brigade.transport.Endpoint;
import org.brigade.transport.LinkContract;
import org.brigade.transport.loopback.LoopbackJob;

class ChaosLinkTest extends LinkContract {
    @Override
    protected Endpoint[] open(int ranks) {
        return ChaosEndpoint.around(LoopbackJob.narrowEndpoints(ranks), 42);
    }
}

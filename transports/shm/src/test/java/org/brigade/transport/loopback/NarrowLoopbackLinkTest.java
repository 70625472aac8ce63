package org.brigade.transport.loopback;

import org.brigade.transport.Endpoint;
import org.brigade.transport.LinkContract;

class NarrowLoopbackLinkTest extends LinkContract {
    @Override
    protected Endpoint[] open(int ranks) {
        return LoopbackJob.narrowEndpoints(ranks);
    }
}

package org.brigade.algorithm.bcast;

import mpi.spi.Collective;
import org.brigade.algorithm.ChainAlgorithm;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.pattern.Order;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Topology-aware pipelined chain broadcast (TA-PC): the pipelined chain, in the order and direction in which its
 * transfers interfere least.
 *
 * <p>
 * Source: Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), section 4.3, equation
 * (5) with the bandwidth B of the slowest transfer while all run. {@link org.brigade.pattern.ChainSearch} finds an
 * order for each root; it is never slower than the plain chain. Rounds: chunks + n - 2. Bytes: every rank but the last
 * sends M. Restrictions: none; if the wires are unknown it is the plain chain.
 */
public final class TopologyAwareChainBcast extends ChainAlgorithm {
    public TopologyAwareChainBcast() {
        super(Collective.BCAST, "topology-aware-chain", WireUse.CHAINS);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        Order chain = geometry.wires().chain(geometry.root(), geometry.ranks());
        schedule.windows(() -> ChainBcast.pass(geometry, chain, schedule));
    }
}

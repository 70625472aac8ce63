package org.brigade.algorithm.bcast;

import mpi.spi.Collective;
import org.brigade.algorithm.ChainAlgorithm;
import org.brigade.algorithm.Restrictions;
import org.brigade.algorithm.WireUse;
import org.brigade.schedule.Geometry;
import org.brigade.schedule.ScheduleBuilder;

/**
 * Pipelined chain broadcast (PC): the root feeds chunks into a chain of ranks, and every rank passes one chunk on while
 * the next arrives. The chain follows the order of the wires, or rank order if the wires are unknown.
 *
 * <p>
 * Source: Xin, Xie, Li, "Large message broadcast design for distributed machine learning" (2020), section 4.2, equation
 * (5): {@code T = (M/C + n - 2)(ts + C/B)} for M bytes in chunks of C over n ranks. Rounds: chunks + n - 2. Bytes:
 * every rank but the last sends M. Restrictions: none. For large messages on few ranks.
 */
public final class PipelinedChainBcast extends ChainAlgorithm {
    public PipelinedChainBcast() {
        super(Collective.BCAST, "pipelined-chain", WireUse.ORDER);
    }

    @Override
    public void build(Geometry geometry, ScheduleBuilder schedule) {
        schedule.windows(() -> ChainBcast.pass(geometry, geometry.order(), schedule));
    }
}

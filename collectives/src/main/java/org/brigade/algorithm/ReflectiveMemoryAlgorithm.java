package org.brigade.algorithm;

import mpi.spi.Collective;
import org.brigade.pattern.Hierarchy;

/**
 * Broadcast and allreduce through reflective memory: one store reaches all nodes, and within each a leader passes the
 * vector on. An allreduce first reduces over a tree.
 *
 * <p>
 * Rounds: one between nodes, one for each further rank of a node; in an allreduce ceil(log2 n) before. Bytes: M out of
 * the root's node once. Restrictions: 1 GiB, as the byte counters are ints; at least three nodes that SISCI joins, with
 * multicast. No rule names the allreduce: neither a measurement nor the simulator, which has no multicast, says that it
 * wins.
 */
public final class ReflectiveMemoryAlgorithm extends FusedAlgorithm {
    private static final long MOST_BYTES = 1 << 30;

    public ReflectiveMemoryAlgorithm(ScheduledAlgorithm meaning) {
        super("reflective-memory", meaning, new Restrictions(false, false, Integer.MAX_VALUE, MOST_BYTES),
            WireUse.MULTICAST);
    }

    @Override
    public <R> R open(Runners<R> runners) {
        return runners.multicast();
    }

    /** Counts a store as a message: the model does not know what multicasts cost beside other messages. */
    @Override
    public double cost(CostModel model, PredictedCall call) {
        Hierarchy hierarchy = call.wires().hierarchy(call.ranks());
        int messages = 1;
        for (int level = 1; level < hierarchy.depth(); level++) {
            messages += hierarchy.most(level) - 1;
        }
        int before = collective() == Collective.ALLREDUCE ? CostModel.rounds(call.ranks(), 2) : 0;
        return (messages + before) * model.message(call.bytes());
    }
}

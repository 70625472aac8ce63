package org.brigade.communicator.straightline;

import mpi.spi.Call;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.execution.PlanRunner;
import org.brigade.op.Combiner;

/**
 * Runs reductions in the shared buffer, each slice passed from rank to rank: see
 * {@link org.brigade.algorithm.MovementAvoidingAlgorithm}.
 */
public final class MovementAvoidingRunner extends SharedBufferRunner {
    public MovementAvoidingRunner(NodeBuffer buffer, CombinerCache combiners, PlanRunner schedules) {
        super(buffer, combiners, schedules);
    }

    /** Items must fit into a slice of the buffer. */
    @Override
    boolean fits(Call call) {
        return calls().fits(call.extent);
    }

    @Override
    void run(Call call, long key, Combiner incomingLast) {
        calls().reduce(key, call, incomingLast);
    }
}

package org.brigade.communicator.straightline;

import mpi.spi.Call;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.execution.PlanRunner;
import org.brigade.op.Combiner;

/**
 * Runs allreduces in the shared buffer, each slice reduced by one rank: see
 * {@link org.brigade.algorithm.PartitionedAlgorithm}.
 */
public final class PartitionedRunner extends SharedBufferRunner {
    public PartitionedRunner(NodeBuffer buffer, CombinerCache combiners, PlanRunner schedules) {
        super(buffer, combiners, schedules);
    }

    @Override
    void run(Call call, long key, Combiner incomingLast) {
        calls().partition(key, call, incomingLast);
    }
}

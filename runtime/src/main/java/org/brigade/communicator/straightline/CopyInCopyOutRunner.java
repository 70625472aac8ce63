package org.brigade.communicator.straightline;

import mpi.spi.Call;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.execution.PlanRunner;
import org.brigade.op.Combiner;

/**
 * Runs bcast, allgather and allgatherv by copies into the shared buffer and out of it: see
 * {@link org.brigade.algorithm.CopyInCopyOutAlgorithm}.
 */
public final class CopyInCopyOutRunner extends SharedBufferRunner {
    public CopyInCopyOutRunner(NodeBuffer buffer, CombinerCache combiners, PlanRunner schedules) {
        super(buffer, combiners, schedules);
    }

    @Override
    void run(Call call, long key, Combiner incomingLast) {
        calls().copy(key, call);
    }
}

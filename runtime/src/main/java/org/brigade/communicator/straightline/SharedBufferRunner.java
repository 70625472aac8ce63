package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.execution.PlanRunner;
import org.brigade.engine.fused.FusedSharedBuffer;
import org.brigade.op.Combiner;

/**
 * Runs calls on one node through memory that the members share ({@link FusedSharedBuffer}). The first blocking call
 * that would do so makes it. As long as there is no room for it, the table chooses again.
 */
abstract class SharedBufferRunner extends AgreedRunner {
    private final NodeBuffer buffer;
    private final CombinerCache combiners;
    private final PlanRunner schedules;

    SharedBufferRunner(NodeBuffer buffer, CombinerCache combiners, PlanRunner schedules) {
        super(buffer.attempts);
        this.buffer = buffer;
        this.combiners = combiners;
        this.schedules = schedules;
    }

    /** The calls through the buffer; null as long as it is not made. */
    final FusedSharedBuffer calls() {
        return buffer.calls();
    }

    /** @param incomingLast the reduction; null if the collective has none */
    abstract void run(Call call, long key, Combiner incomingLast);

    @Override
    final boolean isOpen() {
        return calls() != null;
    }

    @Override
    final boolean mayOpen() {
        return buffer.isOnOneNode();
    }

    @Override
    final boolean open() {
        return buffer.open();
    }

    @Override
    public final Operation start(Call call, long key) {
        CombinerCache.Pair pair = call.op == null ? null : combiners.of(call.type, call.op);
        run(call, key, pair == null ? null : pair.incomingLast());
        if (pair != null && pair.users()) {
            schedules.confirm(call, key);
        }
        return null;
    }
}

package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.engine.FusedFlat;
import org.brigade.select.Choice;

/** Runs small calls among few ranks as straight-line code. */
public final class FusedExecutor implements Executor {
    private final FusedFlat fused;
    private final CombinerCache combiners;
    private final ScheduleExecutor schedules;

    public FusedExecutor(FusedFlat fused, CombinerCache combiners, ScheduleExecutor schedules) {
        this.fused = fused;
        this.combiners = combiners;
        this.schedules = schedules;
    }

    @Override
    public Service serves(Call call, Choice choice) {
        return call.blocking ? Service.YES : Service.NO;
    }

    @Override
    public boolean agree(Call call, Choice choice) {
        return call.blocking;
    }

    @Override
    public Operation run(Call call, Choice choice, long key) {
        switch (call.collective) {
            case BARRIER -> fused.barrier(key);
            case BCAST -> fused.bcast(key, call);
            case ALLREDUCE -> {
                fused.allreducePost(key, call);
                CombinerCache.Pair pair = combiners.of(call.type, call.op);
                fused.allreduceFold(key, call, pair.incomingLast(), pair.incomingFirst());
                if (pair.users()) {
                    schedules.confirm(call, key);
                }
            }
            default -> throw new IllegalStateException("no fused " + call.collective.key());
        }
        return null;
    }
}

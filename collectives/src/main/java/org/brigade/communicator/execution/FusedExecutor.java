package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.FusedStart;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.engine.fused.FusedBlocks;
import org.brigade.select.Choice;

/** Runs small calls among few ranks as straight-line code. */
public final class FusedExecutor implements Executor {
    private final Progress progress;
    private final Membership party;
    private final FusedFlat fused;
    /** Null until the first call. */
    private FusedBlocks blocks;
    private final CombinerCache combiners;
    private final ScheduleExecutor schedules;

    public FusedExecutor(Progress progress, Membership party, FusedFlat fused, CombinerCache combiners,
        ScheduleExecutor schedules) {
        this.progress = progress;
        this.party = party;
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

    /**
     * As {@link ScheduleExecutor#prepare}. A call with a user's function, which may throw, runs by the schedule, and so
     * do calls of {@link FusedBlocks}.
     */
    public PersistentOperation prepare(Call call, Choice choice, CallSequence starts, Runnable atEnd) {
        CombinerCache.Pair pair = call.op == null ? null : combiners.of(call.type, call.op);
        boolean halves = call.collective == Collective.BARRIER || call.collective == Collective.BCAST
            || call.collective == Collective.ALLREDUCE;
        if (!halves || pair != null && pair.users()) {
            return schedules.prepare(call, choice, starts, atEnd);
        }
        FusedStart start = new FusedStart(progress, party, call, pair == null ? null : pair.incomingLast(),
            pair == null ? null : pair.incomingFirst());
        return new PersistentFused(progress, starts, start, choice, atEnd);
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
            default -> runBlocks(call, choice, key);
        }
        return null;
    }

    private void runBlocks(Call call, Choice choice, long key) {
        if (call.isOnDevice()) {
            schedules.run(call, choice, key);
            return;
        }
        if (blocks == null) {
            blocks = new FusedBlocks(fused, party);
        }
        if (call.op == null) {
            blocks.run(key, call, null, null);
            return;
        }
        CombinerCache.Pair pair = combiners.of(call.type, call.op);
        blocks.run(key, call, pair.incomingLast(), pair.incomingFirst());
        if (pair.users()) {
            schedules.confirm(call, key);
        }
    }
}

package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.PersistentOperation;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.execution.PlanRunner;
import org.brigade.communicator.execution.Repeat;
import org.brigade.communicator.execution.Runner;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.FusedStart;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;
import org.brigade.waiting.FlightRecorder;

/**
 * Runs small blocking calls among few ranks by {@link FlatCollectives}: every rank sends to every other that needs it.
 */
public abstract class FlatRunner implements Runner, Repeat {
    /** What the runners of one communicator share. */
    public record Shared(Progress progress, Membership membership, FlatCollectives flat, CombinerCache combiners,
        PlanRunner schedules) {
    }

    final FlatCollectives flat;
    private final Shared shared;

    FlatRunner(Shared shared) {
        this.shared = shared;
        flat = shared.flat;
    }

    /** The runner of a collective's calls. */
    public static Runner of(Collective collective, Shared shared) {
        return switch (collective) {
            case BARRIER -> new FlatBarrierRunner(shared);
            case BCAST -> new FlatBcastRunner(shared);
            case ALLREDUCE -> new FlatAllreduceRunner(shared);
            default -> new FlatBlocksRunner(shared);
        };
    }

    /** The class of {@link #of}. */
    public static Class<? extends Runner> classOf(Collective collective) {
        return switch (collective) {
            case BARRIER -> FlatBarrierRunner.class;
            case BCAST -> FlatBcastRunner.class;
            case ALLREDUCE -> FlatAllreduceRunner.class;
            default -> FlatBlocksRunner.class;
        };
    }

    @Override
    public boolean takesBlocking() {
        return true;
    }

    @Override
    public Offer offer(Call call) {
        return call.blocking ? Offer.YES : Offer.NO;
    }

    @Override
    public final Repeat repeat(Call call) {
        return this;
    }

    /** What follows from the description alone is little here. */
    @Override
    public final void run(Call call, CallSequence calls, long word, long bytes) {
        long key = calls.take();
        FlightRecorder recorder = shared.progress.recorder;
        int noted = recorder.enters(word, key, bytes);
        try {
            start(call, key);
        } finally {
            recorder.ended(noted);
        }
    }

    /** A call with a user's function, which may throw, runs by the schedule: its confirmation takes a second round. */
    @Override
    public PersistentOperation prepare(Call call, Choice choice, CallSequence starts, Runnable atEnd) {
        CombinerCache.Pair pair = call.op == null ? null : combiners(call);
        if (pair != null && pair.users()) {
            return null;
        }
        FusedStart start = new FusedStart(shared.progress, shared.membership, call,
            pair == null ? null : pair.incomingLast(), pair == null ? null : pair.incomingFirst());
        return new PersistentFused(shared.progress, starts, start, choice, atEnd);
    }

    final CombinerCache.Pair combiners(Call call) {
        return shared.combiners.of(call.type, call.op);
    }

    /** Ends a reduction: if the operation is the user's, waits until it has thrown on no rank. */
    final void confirm(CombinerCache.Pair pair, Call call, long key) {
        if (pair.users()) {
            shared.schedules.confirm(call, key);
        }
    }
}

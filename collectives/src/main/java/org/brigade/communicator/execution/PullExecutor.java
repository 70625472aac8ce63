package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.FusedPull;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;

/**
 * Runs small calls on one node by {@link FusedPull}. The first blocking call that would do so asks all members for a
 * slot that is free on each of them. If there is none, the algorithm's schedule runs, in this call and later ones.
 */
public final class PullExecutor implements Executor {
    private final Progress progress;
    private final Membership party;
    private final FusedFlat messages;
    private final CombinerCache combiners;
    private final Agreement agreement;
    private final CallSequence sequence;
    private final ScheduleExecutor schedules;
    private boolean asked;
    /** Null before it is opened, and if there was no slot. */
    private FusedPull calls;

    /** @param agreement finds a slot that is free on all ranks */
    public PullExecutor(Progress progress, Membership party, FusedFlat messages, CombinerCache combiners,
        Agreement agreement, CallSequence sequence, ScheduleExecutor schedules) {
        this.progress = progress;
        this.party = party;
        this.messages = messages;
        this.combiners = combiners;
        this.agreement = agreement;
        this.sequence = sequence;
        this.schedules = schedules;
    }

    @Override
    public Service serves(Call call, Choice choice) {
        if (!call.blocking || call.ranks == 1) {
            return Service.NO;
        }
        return calls != null ? Service.YES : asked ? Service.NO : Service.ASK;
    }

    @Override
    public boolean agree(Call call, Choice choice) {
        return open() != null;
    }

    /** What publishes this communicator's blocks; null if no slot was free. All members call it at the same time. */
    FusedPull open() {
        if (!asked) {
            asked = true;
            long key = sequence.take();
            long[] free = {FusedPull.free(progress, party)};
            agreement.common(key, free);
            if (free[0] != 0) {
                calls = FusedPull.open(progress, party, messages, free[0], key + 1);
            }
        }
        return calls;
    }

    @Override
    public Operation run(Call call, Choice choice, long key) {
        CombinerCache.Pair pair = call.op == null ? null : combiners.of(call.type, call.op);
        calls.run(key, call, pair == null ? null : pair.incomingLast());
        if (pair != null && pair.users()) {
            schedules.confirm(call, key);
        }
        return null;
    }

    /** Called when the communicator is freed: no more calls begin. */
    public void end() {
        if (calls != null) {
            calls.end();
        }
    }
}

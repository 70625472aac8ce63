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
import org.brigade.engine.node.Members;
import org.brigade.engine.node.PullSlots;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.select.Choice;

/**
 * Runs small calls on one node by {@link FusedPull}. The first blocking call that would do so takes a slot on each
 * member ({@link PullSlots}). As long as some member has none left, the algorithm's schedule runs.
 */
public final class PullExecutor implements Executor {
    private final Progress progress;
    private final Membership party;
    private final FusedFlat messages;
    private final CombinerCache combiners;
    private final Agreement agreement;
    private final CallSequence sequence;
    private final ScheduleExecutor schedules;
    private final Attempts attempts = new Attempts();
    /** Null, as the next, as long as there is no slot. */
    private PulledBlocks blocks;
    private FusedPull calls;

    /** @param agreement by which the members tell each other their slots */
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
        return calls != null ? Service.YES : attempts.isDue() ? Service.ASK : Service.NO;
    }

    @Override
    public boolean agree(Call call, Choice choice) {
        return open() != null;
    }

    /** What publishes this communicator's blocks; null if a slot was lacking. All members call it at the same time. */
    FusedPull open() {
        if (calls == null) {
            long key = sequence.take();
            blocks = progress.pullSlots().open(party.members, party.rank, key + 1, new Members() {
                @Override
                public void greatest(long[] words) { // no lambda: a cold JVM takes long for its first
                    agreement.greatest(key, words);
                }
            });
            calls = blocks == null ? null : new FusedPull(progress, party, messages, blocks);
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
        if (blocks != null) {
            progress.pullSlots().end(blocks);
        }
    }
}

package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.bootstrap.Nodes;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.FusedPull;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.engine.fused.FusedSharedBuffer;
import org.brigade.engine.node.SharedBuffer;
import org.brigade.select.Choice;

/**
 * Runs calls on one node through memory that the members share ({@link FusedSharedBuffer}). The first blocking call
 * that would do so makes it. As long as there is no room for it, the algorithm's schedule runs.
 */
public final class SharedBufferExecutor implements Executor {
    private final Progress progress;
    private final Membership party;
    private final CombinerCache combiners;
    private final FusedFlat messages;
    private final Agreement agreement;
    private final CallSequence sequence;
    private final ScheduleExecutor schedules;
    /** Whether the members share memory: those of several nodes would each take their own node's for it. */
    private final boolean onOneNode;
    private final Attempts attempts = new Attempts();
    /** Null, as the next, as long as it is not made. */
    private SharedBuffer buffer;
    private FusedSharedBuffer calls;

    public SharedBufferExecutor(Progress progress, Membership party, FusedFlat messages, CombinerCache combiners,
        Agreement agreement, CallSequence sequence, ScheduleExecutor schedules) {
        this.progress = progress;
        this.party = party;
        this.combiners = combiners;
        this.messages = messages;
        this.agreement = agreement;
        this.sequence = sequence;
        this.schedules = schedules;
        Nodes nodes = progress.endpoint.nodes();
        onOneNode = nodes == null || nodes.spannedBy(party.members) == 1;
    }

    @Override
    public Service serves(Call call, Choice choice) {
        if (!call.blocking || call.ranks == 1 || !onOneNode) {
            return Service.NO;
        }
        if (calls == null) {
            return attempts.isDue() ? Service.ASK : Service.NO;
        }
        return call.op == null || calls.fits(choice.algorithm(), call.extent) ? Service.YES : Service.NO;
    }

    @Override
    public boolean agree(Call call, Choice choice) {
        long key = sequence.take();
        buffer = progress.sharedBuffers().take(party.members, party.rank, key + 1,
            words -> agreement.greatest(sequence.take(), words));
        if (buffer == null) {
            return false;
        }
        calls = new FusedSharedBuffer(party, new FusedPull(progress, party, messages, buffer.blocks()), buffer);
        return serves(call, choice) == Service.YES;
    }

    @Override
    public Operation run(Call call, Choice choice, long key) {
        CombinerCache.Pair pair = call.op == null ? null : combiners.of(call.type, call.op);
        calls.run(key, call, choice.algorithm(), pair == null ? null : pair.incomingLast());
        if (pair != null && pair.users()) {
            schedules.confirm(call, key);
        }
        return null;
    }

    /** Called when the communicator is freed: no more calls begin. */
    public void end() {
        if (buffer != null) {
            progress.sharedBuffers().end(buffer);
        }
    }
}

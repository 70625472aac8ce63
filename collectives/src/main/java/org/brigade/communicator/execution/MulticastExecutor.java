package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Operation;
import org.brigade.bootstrap.Nodes;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.FusedMulticast;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;
import org.brigade.transport.Multicast;
import org.brigade.transport.Multicasts;

/**
 * Runs calls by stores that reach all nodes of a communicator at once. A broadcast is one such call; an allreduce is a
 * reduction to rank 0 by a schedule, then a broadcast. The first blocking call that would use the multicast opens it.
 */
public final class MulticastExecutor implements Executor {
    private final Progress progress;
    private final Membership party;
    private final FusedFlat fused;
    private final Agreement agreement;
    private final CallSequence sequence;
    private final CallChoices choices;
    private final ScheduleExecutor schedules;
    private boolean asked;
    /** Null until it is opened, and if the fabric has none left. */
    private Multicast multicast;
    private FusedMulticast calls;

    /** @param agreement exchanges words between the ranks when the multicast is opened */
    public MulticastExecutor(Progress progress, Membership party, FusedFlat fused, Agreement agreement,
        CallSequence sequence,
        CallChoices choices,
        ScheduleExecutor schedules) {
        this.progress = progress;
        this.party = party;
        this.fused = fused;
        this.agreement = agreement;
        this.sequence = sequence;
        this.choices = choices;
        this.schedules = schedules;
    }

    @Override
    public Service serves(Call call, Choice choice) {
        if (!call.blocking) {
            return Service.NO;
        }
        return calls != null ? Service.YES : asked || !choices.wires().multicast() ? Service.NO : Service.ASK;
    }

    /**
     * Opens the multicast together with the other ranks. If the fabric has none left, later calls choose other
     * algorithms.
     */
    @Override
    public boolean agree(Call call, Choice choice) {
        if (!open(sequence.take())) {
            choices.learn(choices.wires().multicast(false));
            return false;
        }
        return true;
    }

    @Override
    public Operation run(Call call, Choice choice, long key) {
        if (call.collective == Collective.ALLREDUCE) {
            // One key serves both: each rank finishes the reduction before it begins the broadcast.
            schedules.run(call, choices.planOf(Collective.REDUCE, call), key);
        }
        calls.bcast(key, call);
        return null;
    }

    /** @return false, on all ranks, if the fabric has none left */
    private boolean open(long key) {
        asked = true;
        int ranks = party.members.length;
        Nodes nodes = progress.endpoint.nodes();
        int[] leaders = nodes.firsts(party.members);
        int[] number = new int[nodes.count()];
        for (int node = 0; node < leaders.length; node++) {
            number[nodes.of(party.members[leaders[node]])] = node;
        }
        int[] nodeOf = new int[ranks];
        for (int member = 0; member < ranks; member++) {
            nodeOf[member] = number[nodes.of(party.members[member])];
        }
        multicast = progress.endpoint.multicasts().open(leaders, party.members, party.rank,
            new Multicasts.Words() { // no lambda: a cold JVM takes long for its first
                @Override
                public void common(long[] words) {
                    agreement.common(key, words);
                }
            });
        if (multicast != null) {
            calls = new FusedMulticast(progress, party, fused, multicast, leaders, nodeOf);
        }
        return multicast != null;
    }

    /** Called when the communicator is freed: no more calls begin. */
    public void end() {
        if (multicast != null) {
            multicast.end();
        }
    }
}

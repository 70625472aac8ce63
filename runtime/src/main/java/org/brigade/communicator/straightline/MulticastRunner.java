package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Operation;
import org.brigade.bootstrap.Nodes;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.execution.PlanRunner;
import org.brigade.communicator.execution.Plans;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.FusedMulticast;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.transport.Multicast;
import org.brigade.transport.Multicasts;

/**
 * Runs calls by stores that reach all nodes of a communicator at once. A broadcast is one such call; an allreduce is a
 * reduction to rank 0 by a schedule, then a broadcast. The first blocking call that would use the multicast opens it.
 */
public final class MulticastRunner extends AgreedRunner {
    private final Progress progress;
    private final Membership membership;
    private final FlatCollectives fused;
    private final Agreement agreement;
    private final CallSequence sequence;
    private final Plans plans;
    private final PlanRunner schedules;
    private boolean asked;
    /** Null until it is opened, and if the fabric has none left. */
    private Multicast multicast;
    private FusedMulticast calls;

    /** @param agreement exchanges words between the ranks when the multicast is opened */
    public MulticastRunner(Progress progress, Membership membership, FlatCollectives fused, Agreement agreement,
        CallSequence sequence, Plans plans, PlanRunner schedules) {
        this.progress = progress;
        this.membership = membership;
        this.fused = fused;
        this.agreement = agreement;
        this.sequence = sequence;
        this.plans = plans;
        this.schedules = schedules;
    }

    @Override
    boolean isOpen() {
        return calls != null;
    }

    @Override
    boolean mayOpen() {
        return !asked && plans.wires().multicast();
    }

    /** If the fabric has none left, later calls choose other algorithms. */
    @Override
    boolean open() {
        asked = true;
        if (!open(sequence.aside())) {
            plans.learn(plans.wires().multicast(false));
            return false;
        }
        return true;
    }

    @Override
    public Operation start(Call call, long key) {
        if (call.collective == Collective.ALLREDUCE) {
            // One key serves both: each rank finishes the reduction before it begins the broadcast.
            schedules.run(call, plans.now(Collective.REDUCE, call), key);
        }
        calls.bcast(key, call);
        return null;
    }

    /** @return false, on all ranks, if the fabric has none left */
    private boolean open(long key) {
        int ranks = membership.members.length;
        Nodes nodes = progress.endpoint.nodes();
        int[] leaders = nodes.firsts(membership.members);
        int[] number = new int[nodes.count()];
        for (int node = 0; node < leaders.length; node++) {
            number[nodes.of(membership.members[leaders[node]])] = node;
        }
        int[] nodeOf = new int[ranks];
        for (int member = 0; member < ranks; member++) {
            nodeOf[member] = number[nodes.of(membership.members[member])];
        }
        multicast = progress.endpoint.multicasts().open(leaders, membership.members, membership.rank,
            new Multicasts.Words() { // no lambda: a cold JVM takes long for its first
                @Override
                public void common(long[] words) {
                    agreement.common(key, words);
                }
            });
        if (multicast != null) {
            calls = new FusedMulticast(progress, membership, fused, multicast, leaders, nodeOf);
        }
        return multicast != null;
    }

    @Override
    public void end() {
        if (multicast != null) {
            multicast.end();
        }
    }
}

package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.execution.PlanRunner;
import org.brigade.communicator.execution.Repeat;
import org.brigade.engine.CompiledPull;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.FusedPull;
import org.brigade.engine.Membership;
import org.brigade.engine.Progress;
import org.brigade.engine.node.CompiledCall;
import org.brigade.engine.node.Members;
import org.brigade.engine.node.PullSlots;
import org.brigade.engine.node.PulledBlocks;
import org.brigade.nativ.CompiledExchange;

/**
 * Runs small calls on one node by {@link FusedPull}. The first blocking call that would do so takes a slot on each
 * member ({@link PullSlots}). As long as some member has none left, the algorithm's schedule runs.
 */
public final class PullRunner extends AgreedRunner {
    /** Whether this process has said that calls run in Java only. */
    private static boolean complained;

    private final Progress progress;
    private final Membership membership;
    private final FlatCollectives messages;
    private final CombinerCache combiners;
    private final Agreement agreement;
    private final CallSequence sequence;
    private final PlanRunner schedules;
    /** Null, as the next, as long as there is no slot. */
    private PulledBlocks blocks;
    private FusedPull calls;

    /** @param agreement by which the members tell each other their slots */
    public PullRunner(Progress progress, Membership membership, FlatCollectives messages, CombinerCache combiners,
        Agreement agreement, CallSequence sequence, PlanRunner schedules) {
        this.progress = progress;
        this.membership = membership;
        this.messages = messages;
        this.combiners = combiners;
        this.agreement = agreement;
        this.sequence = sequence;
        this.schedules = schedules;
    }

    @Override
    boolean isOpen() {
        return calls != null;
    }

    @Override
    boolean open() {
        if (calls == null) {
            long key = sequence.aside();
            blocks = progress.pullSlots().open(membership.members, membership.rank, key + 1, new Members() {
                @Override
                public void greatest(long[] words) { // no lambda: a cold JVM takes long for its first
                    agreement.greatest(key, words);
                }
            });
            calls = blocks == null ? null : new FusedPull(progress, membership, messages, blocks);
            if (calls != null && calls.compiled() != null) {
                calls.compiled().countsAt(sequence.shownAt());
            }
            complain();
        }
        return calls != null;
    }

    /** Rank 0 says once what a library that cannot be loaded costs. */
    private void complain() {
        if (blocks != null && !complained && progress.endpoint.rank() == 0) {
            complained = true;
            String complaint = CompiledExchange.complaint();
            if (complaint != null) {
                System.err.println("brigade: ".concat(complaint));
            }
        }
    }

    /** What publishes this communicator's blocks; null if it is not open. */
    FusedPull calls() {
        return calls;
    }

    @Override
    public boolean isForColdCalls() {
        return blocks != null && blocks.areCompiledByAll();
    }

    @Override
    public Operation start(Call call, long key) {
        return start(call, key, false);
    }

    /** @param inRankOrder whether an allreduce adds up from rank 0 on */
    Operation start(Call call, long key, boolean inRankOrder) {
        CombinerCache.Pair pair = call.op == null ? null : combiners.of(call.type, call.op);
        calls.run(key, call, inRankOrder, pair == null ? null : pair.incomingLast());
        if (pair != null && pair.users()) {
            schedules.confirm(call, key);
        }
        return null;
    }

    @Override
    public Repeat repeat(Call call) {
        CompiledPull compiled = calls.compiled();
        CompiledCall how = compiled == null ? null : compiled.remember(call);
        if (how == null) {
            return null;
        }
        return new Repeat() { // no lambda: a cold JVM takes long for its first
            @Override
            public void run(Call again, CallSequence calls, long word, long bytes) {
                compiled.again(calls.next(), again, how, word, bytes, calls.number());
            }
        };
    }

    @Override
    public void end() {
        if (blocks != null) {
            progress.pullSlots().end(blocks);
        }
    }
}

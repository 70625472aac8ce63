package org.brigade.communicator;

import mpi.spi.Call;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import org.brigade.algorithm.Execution;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.CursorPool;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.device.HostCalls;
import org.brigade.communicator.execution.CallChoices;
import org.brigade.communicator.execution.Executor;
import org.brigade.communicator.execution.FusedExecutor;
import org.brigade.communicator.execution.MulticastExecutor;
import org.brigade.communicator.execution.PendingCollective;
import org.brigade.communicator.execution.PullExecutor;
import org.brigade.communicator.execution.ScheduleExecutor;
import org.brigade.communicator.execution.SharedBufferExecutor;
import org.brigade.communicator.execution.SingleCopyExecutor;
import org.brigade.communicator.execution.WideOperation;
import org.brigade.communicator.execution.WideReduction;
import org.brigade.communicator.network.NetworkExecutor;
import org.brigade.communicator.network.NetworkReduction;
import org.brigade.communicator.wires.WireSource;
import org.brigade.engine.FusedFlat;
import org.brigade.engine.Membership;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;
import org.brigade.pattern.Wires;
import org.brigade.select.Choice;
import org.brigade.select.Selector;

/**
 * Runs the collective calls of one communicator. It numbers each call and selects an algorithm. The algorithm's
 * {@link Executor} says whether it can serve the call, asks all members if it must, and runs the call.
 */
final class CollectiveDispatch {
    private final Progress progress;
    private final CallSequence sequence;
    private final Membership party;
    private final CallChoices choices;
    private final ScheduleExecutor schedules;
    private final FusedExecutor fused;
    private final MulticastExecutor multicast;
    private final PullExecutor pull;
    private final SharedBufferExecutor shared;
    /** Null if no network reduces between the nodes. */
    private final NetworkExecutor network;
    /** Indexed by {@link Execution}; null where this communicator has no such executor. */
    private final Executor[] executors = new Executor[Execution.values().length];

    /** @param wires tells what is known about the wires between the ranks */
    CollectiveDispatch(Progress progress, Selector selector, CombinerCache combiners, CallSequence sequence,
        Membership party, WireSource wires) {
        this.progress = progress;
        this.sequence = sequence;
        this.party = party;
        CursorPool cursors = new CursorPool(progress, party);
        FusedFlat code = new FusedFlat(progress, party);
        boolean alone = party.members.length == 1;
        Wires known = alone ? Wires.NONE : wires.known(party.members);
        Agreement agreement = new Agreement(party, cursors, combiners, known);
        NetworkReduction between = alone ? null
            : NetworkReduction.of(wires.settings(), progress, party, combiners, sequence.name(), known);
        choices = new CallChoices(selector, party, agreement, sequence, wires, known,
            between == null ? null : between.wires());
        schedules = new ScheduleExecutor(progress, cursors, combiners, choices);
        multicast = new MulticastExecutor(progress, party, code, agreement, sequence, choices, schedules);
        pull = new PullExecutor(progress, party, code, combiners, agreement, sequence, schedules);
        network = between == null ? null
            : new NetworkExecutor(between, progress, agreement, cursors, combiners, sequence, choices);
        executors[Execution.SCHEDULE.ordinal()] = schedules;
        fused = new FusedExecutor(progress, party, code, combiners, schedules);
        executors[Execution.FUSED.ordinal()] = fused;
        executors[Execution.MULTICAST.ordinal()] = multicast;
        executors[Execution.PULL.ordinal()] = pull;
        executors[Execution.SINGLE_COPY.ordinal()] =
            new SingleCopyExecutor(progress, party, pull, agreement, sequence);
        shared = new SharedBufferExecutor(progress, party, code, combiners, agreement, sequence, schedules);
        executors[Execution.SHARED_BUFFER.ordinal()] = shared;
        executors[Execution.NETWORK.ordinal()] = network;
    }

    /** Runs a blocking call, or starts a nonblocking one; see {@link mpi.spi.Communicator#start}. */
    Operation start(Call call) {
        progress.lock.lock();
        int noted =
            progress.recorder.begins(call.collective, call.blocking, sequence.key(), call.root, call.bytes());
        try {
            requireOpen(call);
            long key = sequence.begin(call);
            if (WideReduction.isNeeded(call)) {
                return runWide(call, key);
            }
            Choice choice = choices.choose(call);
            if (call.blocking && choice.algorithm().execution() == Execution.FUSED) {
                // The same as run, without its questions: they would slow small calls down.
                Diagnostics.ran(choice);
                return fused.run(call, choice, key);
            }
            return run(call, choice, key);
        } finally {
            progress.recorder.ended(noted);
            progress.lock.unlock();
        }
    }

    private Operation runWide(Call call, long key) {
        WideReduction reduction = new WideReduction(call);
        reduction.prepare();
        Operation begun = run(reduction.call(), choices.choose(reduction.call()), key);
        if (call.blocking) {
            reduction.deliver();
            return null;
        }
        return new WideOperation(progress, reduction, (PendingCollective) begun);
    }

    private void requireOpen(Call call) {
        if (party.isRevoked()) {
            throw party.revoked(call.collective.key());
        }
    }

    /** How a nonblocking call among ranks of one node would run on the host. Under the progress lock. */
    HostCalls.Way way(Call call) {
        WideReduction reduction = WideReduction.isNeeded(call) ? new WideReduction(call) : null;
        Call onHost = reduction == null ? call : reduction.call();
        Choice choice = choices.choose(onHost);
        Plan plan = choices.plan(onHost, choice);
        return key -> {
            Diagnostics.ran(choice);
            if (reduction == null) {
                return schedules.begin(call, plan, key);
            }
            reduction.prepare();
            return new WideOperation(progress, reduction, schedules.begin(onHost, plan, key));
        };
    }

    /** Counts a call that all members prepare, and compares it with theirs if calls are compared. */
    void announce(Call call) {
        progress.lock.lock();
        try {
            requireOpen(call);
            sequence.announce(call);
        } finally {
            progress.lock.unlock();
        }
    }

    /**
     * Prepares a call for many starts; see {@link mpi.spi.Communicator#prepare}. If its starts cannot run as
     * straight-line code, they run the algorithm's schedule, as a start must not wait.
     *
     * @param starts gives the keys of the starts
     * @param atEnd called when the operation is freed
     */
    PersistentOperation prepare(Call call, CallSequence starts, Runnable atEnd) {
        progress.lock.lock();
        try {
            WideReduction reduction = WideReduction.isNeeded(call) ? new WideReduction(call) : null;
            Call prepared = reduction == null ? call : reduction.call();
            // All ranks are here, so they may ask each other about the wires.
            prepared.blocking = true;
            Choice choice = choices.chooseOrdinary(prepared);
            if (choice.algorithm().execution().standsAlone()) {
                choice = choices.chooseSchedule(prepared);
            }
            prepared.blocking = false;
            if (reduction != null) {
                return new WideOperation(progress, reduction, schedules.prepare(prepared, choice, starts, atEnd));
            }
            return choice.algorithm().execution() == Execution.FUSED ? fused.prepare(call, choice, starts, atEnd)
                : schedules.prepare(call, choice, starts, atEnd);
        } finally {
            progress.lock.unlock();
        }
    }

    /**
     * If the executor cannot serve the call, the chosen algorithm's schedule runs. In three cases another algorithm is
     * chosen: if the members have not agreed; for the network, whose schedule does not run without it; and for
     * algorithms that stand alone, unless one is forced.
     */
    private Operation run(Call call, Choice first, long key) {
        Choice choice = first;
        while (true) {
            Executor executor = executors[choice.algorithm().execution().ordinal()];
            Executor.Service service = executor.serves(call, choice);
            if (service == Executor.Service.YES || service == Executor.Service.ASK && executor.agree(call, choice)) {
                Diagnostics.ran(choice);
                return executor.run(call, choice, key);
            }
            if (choice.algorithm().execution().standsAlone()) {
                choice = choices.chooseSchedule(call);
                if (choice.algorithm().execution().standsAlone()) { // it is forced
                    Diagnostics.ran(choice);
                    return schedules.run(call, choice, key);
                }
            } else if (service == Executor.Service.NO && executor != network) {
                Diagnostics.ran(choice);
                return schedules.run(call, choice, key);
            } else {
                choice = choices.chooseOrdinary(call);
            }
        }
    }

    /** Called when the communicator is freed: no more calls begin. */
    void free() {
        multicast.end();
        progress.lock.lock();
        try {
            pull.end();
            shared.end();
            if (network != null) {
                network.free();
            }
        } finally {
            progress.lock.unlock();
        }
    }
}

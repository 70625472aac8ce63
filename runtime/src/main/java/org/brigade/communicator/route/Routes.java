package org.brigade.communicator.route;

import mpi.ErrorClass;
import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Operation;
import mpi.spi.PersistentOperation;
import org.brigade.algorithm.WireUse;
import org.brigade.communicator.call.Agreement;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.CursorPool;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.communicator.execution.PendingCollective;
import org.brigade.communicator.execution.Plans;
import org.brigade.communicator.execution.Repeat;
import org.brigade.communicator.execution.Runner;
import org.brigade.communicator.execution.WideOperation;
import org.brigade.communicator.execution.WideReduction;
import org.brigade.communicator.network.NetworkReduction;
import org.brigade.communicator.wires.WireSource;
import org.brigade.engine.FlatCollectives;
import org.brigade.engine.Membership;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.select.CallMode;
import org.brigade.select.Choice;
import org.brigade.select.Selector;
import org.brigade.select.TuningException;

/**
 * The routes of one communicator on host memory. It numbers each call, finds its {@link CallRoute}, and lets the
 * route's runner start it. It asks the other ranks about the wires once, when a choice first depends on them.
 */
public final class Routes implements Plans {
    final Progress progress;
    final CallSequence sequence;
    final Membership membership;
    private final Agreement agreement;
    private final CommunicatorRunners runners;
    private final RouteTable blocking;
    /** Of the blocking ones among the first calls of a job; null after these, and on other communicators. */
    private RouteTable first;
    /** The number of the first call after these. */
    private final long firstEnd;
    /** Of calls that only schedules can serve: the other algorithms are not chosen unless they are forced. */
    private final RouteTable scheduled;
    /** Of allreduces while a network reduces between the nodes; else null. */
    private RouteTable networked;
    /** How often more has become known about the wires: calls may run otherwise since. */
    int learned;
    /** Where to ask about the wires between the ranks; null after asking, and if there is nothing to ask. */
    private WireSource wires;

    /**
     * @param wires tells what is known about the wires between the ranks
     * @param beginsJob whether the communicator's first calls are those of a job
     */
    public Routes(Progress progress, Selector selector, CombinerCache combiners, CallSequence sequence,
        Membership membership, WireSource wires, boolean beginsJob) {
        this.progress = progress;
        this.sequence = sequence;
        this.membership = membership;
        int ranks = membership.members.length;
        CommunicatorTopology known = ranks == 1 ? CommunicatorTopology.NONE : wires.known(membership.members);
        CursorPool cursors = new CursorPool(progress, membership);
        FlatCollectives flat = new FlatCollectives(progress, membership);
        agreement = new Agreement(membership, flat, cursors, combiners, known);
        this.wires = wires.tells(ranks) ? wires : null;
        NetworkReduction between = ranks == 1 ? null
            : NetworkReduction.of(wires.settings(), progress, membership, combiners, sequence.name(), known);
        runners = new CommunicatorRunners(progress, membership, flat, sequence, combiners, cursors, agreement, between,
            this);
        blocking = table(selector, known, false);
        first = beginsJob ? table(selector.ofFirstCalls(), known, false) : null;
        firstEnd = beginsJob ? sequence.number() + CallMode.FIRST_CALLS : Long.MAX_VALUE;
        scheduled = table(selector.ofSchedules(), known, true);
        networked = between == null ? null : table(selector, between.wires(), false);
    }

    private RouteTable table(Selector selector, CommunicatorTopology known, boolean schedules) {
        return new RouteTable(new Ladders(selector, known, membership.rank, membership.members.length, sequence.name()),
            runners,
            schedules);
    }

    // ---- starting calls ----

    /** Runs a blocking call, or starts a nonblocking one; see {@link mpi.spi.Communicator#start}. */
    public Operation start(Call call) {
        if (call.memo instanceof RepeatedCall last && last.isOf(this) && last.again(call)) {
            return null;
        }
        progress.lock.lock();
        int noted =
            progress.recorder.enters(call.collective, call.blocking, sequence.key(), call.root, call.bytes());
        if (call.op != null && call.op.function != null) {
            progress.recorder.show(); // the user's function may take long, or for ever
        }
        try {
            requireOpen(call);
            long key = sequence.begin(call);
            if (WideReduction.isNeeded(call)) {
                return startWide(call, key, noted);
            }
            CallRoute route = of(call);
            if (route.takesBlocking && call.blocking) {
                Diagnostics.ran(route.choice());
                progress.recorder.runs(noted, route.recorded);
                Operation begun = route.runner().start(call, key);
                if (call.repeats) {
                    remember(call, route);
                }
                return begun;
            }
            return start(route, call, key, noted);
        } finally {
            progress.recorder.ended(noted);
            progress.lock.unlock();
        }
    }

    private void requireOpen(Call call) {
        if (membership.isRevoked()) {
            throw membership.revoked(call.collective.key());
        }
    }

    private Operation startWide(Call call, long key, int noted) {
        WideReduction reduction = new WideReduction(call);
        reduction.prepare();
        Operation begun = start(of(reduction.call()), reduction.call(), key, noted);
        if (call.blocking) {
            reduction.deliver();
            return null;
        }
        return new WideOperation(progress, reduction, (PendingCollective) begun);
    }

    /**
     * If the runner does not take the call, the algorithm's schedule does. Algorithms that do not fall back on a
     * schedule, and those on which the members have not agreed, are chosen again.
     */
    private Operation start(CallRoute chosen, Call call, long key, int noted) {
        CallRoute route = chosen;
        while (true) {
            Runner runner = route.runner();
            Runner.Offer offer = runner.offer(call);
            if (offer == Runner.Offer.YES || offer == Runner.Offer.ASK && agree(runner, call)) {
                ran(route, noted);
                Operation begun = runner.start(call, key);
                if (call.repeats) {
                    remember(call, route);
                }
                if (offer == Runner.Offer.ASK && !runner.isForColdCalls()) {
                    endFirst();
                }
                return begun;
            }
            if (offer == Runner.Offer.ASK && first != null) {
                endFirst();
                route = of(call);
            } else if (!route.choice().algorithm().fallsBackOnSchedule()) {
                route = route(scheduled, call.collective, call);
            } else if (offer == Runner.Offer.ASK) {
                route = of(call);
            } else {
                ran(route, noted);
                return route.schedule().start(call, key);
            }
        }
    }

    private boolean agree(Runner runner, Call call) {
        agreement.within(call.collective);
        return runner.agree(call);
    }

    /** A call has returned that probably comes again. */
    private void remember(Call call, CallRoute route) {
        boolean same = networked == null && !sequence.compares()
            && (call.op == null || call.op.function == null);
        Repeat repeat = same ? route.runner().repeat(call) : null;
        call.memo = repeat == null ? null : new RepeatedCall(this, call, route, repeat);
    }

    private void ran(CallRoute route, int noted) {
        Diagnostics.ran(route.choice());
        progress.recorder.runs(noted, route.recorded);
    }

    /** How a call starts whose number has been taken already. */
    @FunctionalInterface
    public interface Decided {
        /**
         * Starts the call. Under the progress lock.
         *
         * @param key of its messages
         */
        PendingCollective start(long key);
    }

    /**
     * Decides how a nonblocking call among ranks of one node would run on the host: when it begins, as the members
     * whose data are on the host do. Under the progress lock.
     */
    public Decided decide(Call call) {
        WideReduction reduction = WideReduction.isNeeded(call) ? new WideReduction(call) : null;
        Call onHost = reduction == null ? call : reduction.call();
        CallRoute route = of(onHost);
        Plan plan = route.schedule().plan(onHost);
        return key -> {
            Diagnostics.ran(route.choice());
            if (reduction == null) {
                return runners.schedules.begin(call, plan, key);
            }
            reduction.prepare();
            return new WideOperation(progress, reduction, runners.schedules.begin(onHost, plan, key));
        };
    }

    /** Counts a call that all members prepare, and compares it with theirs if calls are compared. */
    public void announce(Call call) {
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
    public PersistentOperation prepare(Call call, CallSequence starts, Runnable atEnd) {
        progress.lock.lock();
        try {
            WideReduction reduction = WideReduction.isNeeded(call) ? new WideReduction(call) : null;
            Call prepared = reduction == null ? call : reduction.call();
            // All ranks are here, so they may ask each other about the wires.
            prepared.blocking = true;
            CallRoute route = route(blocking, call.collective, prepared);
            if (!route.choice().algorithm().fallsBackOnSchedule()) {
                route = route(scheduled, call.collective, prepared);
            }
            prepared.blocking = false;
            if (reduction != null) {
                return new WideOperation(progress, reduction,
                    route.schedule().prepare(prepared, route.choice(), starts, atEnd));
            }
            PersistentOperation made = route.runner().prepare(call, route.choice(), starts, atEnd);
            return made != null ? made : route.schedule().prepare(call, route.choice(), starts, atEnd);
        } finally {
            progress.lock.unlock();
        }
    }

    // ---- choosing ----

    /** The route of a call. */
    private CallRoute of(Call call) {
        if (networked != null && call.collective == Collective.ALLREDUCE) {
            if (runners.network.isLost()) {
                networked = null;
            } else {
                Choice choice = networked.choice(call);
                if (choice.served() && choice.algorithm().wireUse() == WireUse.NETWORK) {
                    return networked.route(call.collective, call);
                }
            }
        }
        return route(call.blocking ? ofBlocking() : scheduled, call.collective, call);
    }

    /** The routes of a blocking call that has begun. All members count alike. */
    private RouteTable ofBlocking() {
        if (first == null) {
            return blocking;
        }
        if (sequence.number() > firstEnd) {
            endFirst();
            return blocking;
        }
        return first;
    }

    /** From now on, all calls run as usual. */
    private void endFirst() {
        if (first != null) {
            first = null;
            learned++;
        }
    }

    /** The number of the call from which on calls are not remembered that have been remembered now. */
    long remembersUntil() {
        return first == null ? Long.MAX_VALUE : firstEnd;
    }

    private CallRoute route(RouteTable table, Collective collective, Call call) {
        CallRoute route = table.route(collective, call);
        if (wires != null && call.blocking && route.choice().wired()) {
            askForWires(collective);
            route = table.route(collective, call);
        }
        return route;
    }

    /**
     * Asks about the wires together with the other ranks, which are in the same call and have made the same choice.
     * Only a blocking call asks: a nonblocking call must not wait for others. Until then, calls run by what is known
     * without asking.
     */
    private void askForWires(Collective collective) {
        WireSource source = wires;
        wires = null;
        int ranks = membership.members.length;
        agreement.within(collective);
        try {
            learn(source.ask(agreement, sequence, membership.rank, ranks, blocking.wires()));
        } catch (TuningException e) {
            throw ErrorClass.OTHER.in(collective.key(), membership.rank, ranks, sequence.name(), e.getMessage());
        }
    }

    @Override
    public Plan later(Call call) {
        return scheduled.route(call.collective, call).schedule().plan(call);
    }

    @Override
    public Plan now(Collective collective, Call call) {
        return route(scheduled, collective, call).schedule().plan(call,
            call.inPlace && (!collective.rooted || call.isRoot()));
    }

    @Override
    public CommunicatorTopology wires() {
        return blocking.wires();
    }

    @Override
    public void learn(CommunicatorTopology more) {
        blocking.learn(more);
        if (first != null) {
            first.learn(more);
        }
        scheduled.learn(more);
        learned++;
    }

    /** Called when the communicator is freed: no more calls begin. */
    public void free() {
        progress.lock.lock();
        try {
            runners.end();
        } finally {
            progress.lock.unlock();
        }
    }
}

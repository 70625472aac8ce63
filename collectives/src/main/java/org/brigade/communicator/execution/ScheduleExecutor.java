package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Collective;
import mpi.spi.Operation;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.CursorPool;
import org.brigade.engine.Cursor;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;

/** Runs the schedules of algorithms, step by step. Serves every call. */
public final class ScheduleExecutor implements Executor {
    private final Progress progress;
    private final CursorPool cursors;
    private final CombinerCache combiners;
    private final CallChoices choices;

    public ScheduleExecutor(Progress progress, CursorPool cursors, CombinerCache combiners, CallChoices choices) {
        this.progress = progress;
        this.cursors = cursors;
        this.combiners = combiners;
        this.choices = choices;
    }

    @Override
    public Service serves(Call call, Choice choice) {
        return Service.YES;
    }

    @Override
    public boolean agree(Call call, Choice choice) {
        return true;
    }

    @Override
    public Operation run(Call call, Choice choice, long key) {
        return run(call, choices.plan(call, choice), key);
    }

    /** Starts a nonblocking call by a plan. */
    public PendingCollective begin(Call call, Plan plan, long key) {
        return (PendingCollective) run(call, plan, key);
    }

    /** Runs a plan with the call's operands. */
    Operation run(Call call, Plan plan, long key) {
        Cursor cursor = cursors.take();
        CombinerCache.Pair pair = call.op == null ? null : combiners.of(call.type, call.op);
        cursor.begin(plan, key, call, pair == null ? null : pair.incomingLast(),
            pair == null ? null : pair.incomingFirst());
        boolean confirmed = pair != null && pair.users() && call.ranks > 1;
        if (!call.blocking && confirmed) {
            // Choose the last plan now: before this call ends, ranks may learn about wires, each at a different time.
            Plan last = confirmation(call);
            return new ConfirmedOperation(progress, cursors, cursor, () -> confirming(call, last, key),
                call.collective.key());
        }
        if (!call.blocking) {
            cursor.launch();
            return new CollectiveOperation(progress, cursors, cursor, call.collective.key());
        }
        try {
            cursor.run(call.collective.key());
        } finally {
            cursors.release(cursor);
        }
        if (confirmed) {
            confirm(call, key);
        }
        return null;
    }

    /**
     * Prepares a call that is started again and again; the keys of its starts come from a sequence of its own.
     *
     * @param atEnd called when it is freed
     */
    public PersistentCollective prepare(Call call, Choice choice, CallSequence starts, Runnable atEnd) {
        Plan plan = choices.plan(call, choice);
        CombinerCache.Pair pair = call.op == null ? null : combiners.of(call.type, call.op);
        boolean confirmed = pair != null && pair.users() && call.ranks > 1;
        return new PersistentCollective(progress, starts, call, plan, pair, cursors.take(),
            confirmed ? confirmation(call) : null, confirmed ? barrier(call) : null, atEnd);
    }

    /**
     * Waits until all ranks have finished a call in which the user's function may have thrown. If it has thrown on a
     * rank, that rank reports the failure instead, and the call fails on all ranks.
     */
    void confirm(Call call, long key) {
        Cursor cursor = confirming(call, confirmation(call), key);
        try {
            cursor.run("a word of all ranks that the user's operation has not thrown");
        } finally {
            cursors.release(cursor);
        }
    }

    /** The plan of the barrier that confirms a call, by what all ranks know now. */
    private Plan confirmation(Call call) {
        return choices.planOrdinary(barrier(call));
    }

    private static Call barrier(Call call) {
        return new Call(call.rank, call.ranks).begin(Collective.BARRIER, false);
    }

    /** A barrier with the call's own key, so that its messages come after all others of the call. */
    private Cursor confirming(Call call, Plan barrier, long key) {
        Cursor cursor = cursors.take();
        cursor.begin(barrier, key, barrier(call), null, null);
        return cursor;
    }
}

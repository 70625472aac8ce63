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

/** Runs plans with the operands of calls. Under the progress lock. */
public final class PlanRunner {
    private final Progress progress;
    private final CursorPool cursors;
    private final CombinerCache combiners;
    private final Plans plans;

    /** @param plans gives the plans of confirming barriers */
    public PlanRunner(Progress progress, CursorPool cursors, CombinerCache combiners, Plans plans) {
        this.progress = progress;
        this.cursors = cursors;
        this.combiners = combiners;
        this.plans = plans;
    }

    /** Starts a nonblocking call by a plan. */
    public PendingCollective begin(Call call, Plan plan, long key) {
        return (PendingCollective) run(call, plan, key);
    }

    /** Runs a plan with the call's operands. */
    public Operation run(Call call, Plan plan, long key) {
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
    PersistentCollective prepare(Call call, Plan plan, CallSequence starts, Runnable atEnd) {
        CombinerCache.Pair pair = call.op == null ? null : combiners.of(call.type, call.op);
        boolean confirmed = pair != null && pair.users() && call.ranks > 1;
        return new PersistentCollective(progress, starts, call, plan, pair, cursors.take(),
            confirmed ? confirmation(call) : null, confirmed ? barrier(call) : null, atEnd);
    }

    /**
     * Waits until all ranks have finished a call in which the user's function may have thrown. If it has thrown on a
     * rank, that rank reports the failure instead, and the call fails on all ranks.
     */
    public void confirm(Call call, long key) {
        Cursor cursor = confirming(call, confirmation(call), key);
        try {
            cursor.run("a word of all ranks that the user's operation has not thrown");
        } finally {
            cursors.release(cursor);
        }
    }

    /** The plan of the barrier that confirms a call, by what all ranks know now. */
    private Plan confirmation(Call call) {
        return plans.later(barrier(call));
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

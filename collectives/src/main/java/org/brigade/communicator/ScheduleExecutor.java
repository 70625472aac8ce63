package org.brigade.communicator;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.engine.Cursor;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;
import org.brigade.select.Choice;

/** Runs the schedules of algorithms, step by step. Serves every call. */
final class ScheduleExecutor implements Executor {
    private final Progress progress;
    private final CursorPool cursors;
    private final CombinerCache combiners;
    private final CallChoices choices;

    ScheduleExecutor(Progress progress, CursorPool cursors, CombinerCache combiners, CallChoices choices) {
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

    /** Runs a plan with the call's operands. */
    Operation run(Call call, Plan plan, long key) {
        Cursor cursor = cursors.take();
        CombinerCache.Pair pair = call.op == null ? null : combiners.of(call.type, call.op);
        cursor.begin(plan, key, call, pair == null ? null : pair.incomingLast(), pair == null ? null : pair.incomingFirst());
        if (!call.blocking) {
            cursor.launch();
            return new CollectiveOperation(progress, cursors, cursor, call.collective.key());
        }
        try {
            cursor.run(call.collective.key());
        } finally {
            cursors.release(cursor);
        }
        return null;
    }
}

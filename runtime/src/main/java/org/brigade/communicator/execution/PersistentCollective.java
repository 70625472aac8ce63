package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.PersistentOperation;
import org.brigade.communicator.call.CallSequence;
import org.brigade.communicator.call.CombinerCache;
import org.brigade.communicator.call.Diagnostics;
import org.brigade.engine.Cursor;
import org.brigade.engine.Plan;
import org.brigade.engine.Progress;

/**
 * A collective that is started again and again. Algorithm, plan and operands are bound once. Every start is a call with
 * a key of its own, so a start that fails leaves later ones alone.
 */
public final class PersistentCollective extends PendingCollective implements PersistentOperation, Cursor.Sequel {
    private final Progress progress;
    private final CallSequence starts;
    private final Call call;
    private final Plan plan;
    private final CombinerCache.Pair combiners;
    private final Cursor cursor;
    /**
     * The barrier by which the ranks tell each other that the user's function has thrown on none of them; null without
     * such a function.
     */
    private final Plan confirmation;
    private final Call barrier;
    private final Runnable atEnd;
    private long key;
    private boolean confirming;
    private boolean done = true;

    /**
     * @param starts gives the keys: every start on every rank counts
     * @param combiners null if the collective does not reduce
     * @param cursor for this operation alone
     * @param atEnd called when it is freed
     */
    PersistentCollective(Progress progress, CallSequence starts, Call call, Plan plan, CombinerCache.Pair combiners,
        Cursor cursor, Plan confirmation, Call barrier, Runnable atEnd) {
        super(progress, call.collective.key());
        this.progress = progress;
        this.starts = starts;
        this.call = call;
        this.plan = plan;
        this.combiners = combiners;
        this.cursor = cursor;
        this.confirmation = confirmation;
        this.barrier = barrier;
        this.atEnd = atEnd;
    }

    @Override
    public void start() {
        progress.lock.lock();
        try {
            cursor.requireOpen(call.collective.key());
            key = starts.take();
            call.send.blocks.restore();
            call.recv.blocks.restore();
            cursor.begin(plan, key, call, combiners == null ? null : combiners.incomingLast(),
                combiners == null ? null : combiners.incomingFirst());
            confirming = false;
            done = false;
            Diagnostics.ran(plan.choice);
            cursor.start(this);
            progress.poll();
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public void ended(Cursor ended) {
        failure = ended.failure();
        if (failure == null && confirmation != null && !confirming) {
            confirming = true;
            cursor.begin(confirmation, key, barrier, null, null);
            cursor.start(this);
        } else {
            done = true;
        }
    }

    @Override
    protected boolean isDone() {
        return done;
    }

    @Override
    public void free() {
        atEnd.run();
    }
}

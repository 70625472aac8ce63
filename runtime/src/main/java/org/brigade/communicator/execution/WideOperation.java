package org.brigade.communicator.execution;

import mpi.spi.PersistentOperation;
import org.brigade.engine.Progress;

/** A {@link WideReduction} that is under way, or started again and again. */
public final class WideOperation extends PendingCollective implements PersistentOperation {
    private final Progress progress;
    private final WideReduction reduction;
    private final PendingCollective running;
    private boolean done;

    /** @param running runs the wide call; a persistent operation for one, which has not been started */
    public WideOperation(Progress progress, WideReduction reduction, PendingCollective running) {
        super(progress, reduction.call().collective.key());
        this.progress = progress;
        this.reduction = reduction;
        this.running = running;
        done = running instanceof PersistentOperation;
    }

    @Override
    protected boolean isDone() {
        if (!done && follows(running)) {
            done = true;
            if (failure == null) {
                reduction.deliver();
            }
        }
        return done;
    }

    @Override
    public void start() {
        reduction.prepare();
        ((PersistentOperation) running).start();
        progress.lock.lock();
        try {
            done = false;
        } finally {
            progress.lock.unlock();
        }
    }

    @Override
    public void free() {
        ((PersistentOperation) running).free();
    }
}

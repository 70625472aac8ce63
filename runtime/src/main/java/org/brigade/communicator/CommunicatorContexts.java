package org.brigade.communicator;

import org.brigade.communicator.job.Contexts;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.window.WindowContexts;

/** Contexts for the windows of a communicator, of those that its rank 0 hands out. */
final class CommunicatorContexts implements WindowContexts {
    private final LinkedJob job;
    private final IntraCommunicator original;

    CommunicatorContexts(LinkedJob job, IntraCommunicator original) {
        this.job = job;
        this.original = original;
    }

    @Override
    public long take() {
        long again = job.contexts().takeFree(); // mostly the last window's
        return again != 0 ? again : job.newContext();
    }

    @Override
    public void giveBack(long context) {
        job.contexts().giveBack(context);
    }

    @Override
    public void begins() {
        job.opened();
    }

    @Override
    public void ended() {
        job.closed();
    }

    @Override
    public Own communicator(long context, String name) {
        IntraCommunicator own = (IntraCommunicator) original.duplicate(context);
        own.rename(name);
        return new Own(own, own.membership(), own.windowMessages());
    }
}

package org.brigade.communicator.straightline;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.execution.Repeat;

/** Runs small calls as {@link PullRunner} does, in the same slots, but adds up in rank order. */
public final class FlatPullRunner extends AgreedRunner {
    private final PullRunner calls;

    public FlatPullRunner(PullRunner calls) {
        super(calls);
        this.calls = calls;
    }

    @Override
    boolean isOpen() {
        return calls.isOpen();
    }

    @Override
    boolean open() {
        return calls.open();
    }

    @Override
    public boolean isForColdCalls() {
        return calls.isForColdCalls();
    }

    @Override
    public Operation start(Call call, long key) {
        return calls.start(call, key, true);
    }

    @Override
    public Repeat repeat(Call call) {
        return calls.repeat(call);
    }
}

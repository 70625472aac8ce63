package org.brigade.communicator.network;

import mpi.spi.Call;
import mpi.spi.Operation;
import org.brigade.communicator.execution.Runner;
import org.brigade.communicator.execution.ScheduleRunner;

/** Runs allreduces by a schedule in which a reducing network takes part like a rank; see {@link NetworkLine}. */
public final class NetworkRunner implements Runner {
    private final NetworkLine line;
    private final ScheduleRunner schedule;

    /** @param schedule has the plans of this choice */
    public NetworkRunner(NetworkLine line, ScheduleRunner schedule) {
        this.line = line;
        this.schedule = schedule;
    }

    @Override
    public Offer offer(Call call) {
        return line.offer(call);
    }

    @Override
    public boolean agree(Call call) {
        return line.agree(call);
    }

    /** An in-place call reads a copy of its input, so its plan is not an in-place plan. */
    @Override
    public Operation start(Call call, long key) {
        return line.start(call, schedule.plan(call, false), key);
    }
}

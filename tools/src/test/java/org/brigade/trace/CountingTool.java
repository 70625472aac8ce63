package org.brigade.trace;

import mpi.spi.Call;
import mpi.spi.Communicator;
import mpi.spi.Operation;
import mpi.spi.interpose.Interposer;

/** Counts collective calls and says at the end how many there were. */
public final class CountingTool extends Interposer {
    private int calls;

    @Override
    public Operation start(Communicator below, Call call) {
        calls++;
        return below.start(call);
    }

    @Override
    public void leaving(Communicator world) {
        System.out.println("rank " + world.rank() + " made " + calls + " collective calls");
    }
}

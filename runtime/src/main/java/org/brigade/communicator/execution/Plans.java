package org.brigade.communicator.execution;

import mpi.spi.Call;
import mpi.spi.Collective;
import org.brigade.engine.Plan;
import org.brigade.pattern.CommunicatorTopology;

/** What one communicator decides about the steps of a call that runners make by schedules. Under the progress lock. */
public interface Plans {
    /** The plan of a step that begins later and must not ask about the wires: it uses what all ranks know now. */
    Plan later(Call call);

    /** The plan of another collective with a call's operands, which begins now. */
    Plan now(Collective collective, Call call);

    /** What is known so far about the wires between the ranks. */
    CommunicatorTopology wires();

    /** Takes new knowledge about the wires: later calls are decided anew. */
    void learn(CommunicatorTopology more);
}

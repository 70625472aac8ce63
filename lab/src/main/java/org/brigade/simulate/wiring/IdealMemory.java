package org.brigade.simulate.wiring;

import org.brigade.schedule.code.MemoryOperation;

/**
 * Memory as the equations of {@link org.brigade.algorithm.CostModel} have it: a word is seen after ts, a rank moves or
 * reduces B bytes a second, whatever the others do, a short message takes ts more of its sender, and a read in another
 * process ts more of its reader.
 */
record IdealMemory(IdealWiring wiring) implements MemoryModel {
    @Override
    public double entry() {
        return 0;
    }

    @Override
    public double latency(int from, int to, MemoryOperation.Kind stored) {
        return stored == MemoryOperation.Kind.PUBLISH ? wiring.startup() : 0;
    }

    @Override
    public Route work(int rank, MemoryOperation operation, long callBytes) {
        boolean starts =
            operation.kind() == MemoryOperation.Kind.SEND || operation.kind() == MemoryOperation.Kind.READ;
        return Route.through(Double.POSITIVE_INFINITY, starts ? wiring.startup() : 0, 0, 2 * rank);
    }
}

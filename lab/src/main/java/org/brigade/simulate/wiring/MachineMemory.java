package org.brigade.simulate.wiring;

import org.brigade.schedule.code.MemoryOperation;
import org.brigade.topology.machine.SharedMemoryCosts;

/** The memory of a machine's nodes by the figures of its file. */
final class MachineMemory implements MemoryModel {
    private final MachineWiring machine;
    private final SharedMemoryCosts costs;
    /** By rank: a rank of the machine's own order. */
    private final int[] places;

    MachineMemory(MachineWiring machine, SharedMemoryCosts costs, int[] places) {
        this.machine = machine;
        this.costs = costs;
        this.places = places;
    }

    @Override
    public double entry() {
        return costs.entry();
    }

    @Override
    public double latency(int from, int to, MemoryOperation.Kind stored) {
        return machine.lineLatency(places[from], places[to]);
    }

    @Override
    public Route work(int rank, MemoryOperation operation, long callBytes) {
        SharedMemoryCosts.Rates rates = costs.of(callBytes);
        double bytes = operation.bytes();
        double fetched = operation.fetched();
        double stored = operation.stored();
        double startup = costs.operation();
        double own = bytes / rates.own();
        switch (operation.kind()) {
            case REDUCE -> own = bytes / rates.reduce();
            case READ -> {
                startup = costs.kernel();
                own = bytes / rates.read();
                fetched = 0;
            }
            case SEND -> stored = bytes;
            case RECEIVE -> fetched = bytes;
            case RECEIVE_REDUCE -> {
                fetched = bytes;
                own = bytes / rates.reduce();
            }
            default -> {
                // a copy
            }
        }
        double seconds = Math.max(own, Math.max(fetched / rates.fetch(), stored / rates.store()));
        return bytes == 0 ? Route.through(Double.POSITIVE_INFINITY, startup, 0)
            : machine.inMemory(places[rank], bytes / seconds, startup, rates.together());
    }
}

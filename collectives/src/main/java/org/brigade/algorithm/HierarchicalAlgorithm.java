package org.brigade.algorithm;

import mpi.spi.Collective;

/** An algorithm that goes by the levels of the wires: chunks pass from leader to leader of groups, and within each group from its leader on. */
public abstract class HierarchicalAlgorithm extends CollectiveAlgorithm {
    /** How it goes through the levels. */
    protected final Leaders leaders;

    protected HierarchicalAlgorithm(Collective collective, Leaders leaders, Restrictions restrictions) {
        super(collective, leaders.algorithm, restrictions);
        this.leaders = leaders;
    }

    @Override
    public final boolean pipelined() {
        return true;
    }

    @Override
    public final boolean radixed() {
        return leaders.radixed();
    }

    @Override
    public final WireUse wireUse() {
        return WireUse.LEVELS;
    }
}

package org.brigade.algorithm;

import mpi.spi.Collective;
import org.brigade.pattern.Hierarchy;
import org.brigade.pattern.Wires;

/**
 * An algorithm that follows the levels of the wires: chunks pass from leader to leader of groups, and from each leader
 * through its group.
 */
public abstract class HierarchicalAlgorithm extends CollectiveAlgorithm {
    /** How many ranks lead each group, and what joins a group's members. */
    protected final Leaders leaders;

    protected HierarchicalAlgorithm(Collective collective, Leaders leaders, Restrictions restrictions) {
        super(collective, leaders.algorithm, restrictions, WireUse.LEVELS);
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
    public final int hops(int ranks, Wires wires) {
        return leaders == Leaders.ONE_OF_TREES ? 0 : directions() * wires.hierarchy(ranks).chainHops();
    }

    @Override
    protected final double equation(CostModel model, PredictedCall call) {
        if (leaders == Leaders.ONE_OF_TREES) {
            return CostModel.treeMessages(call.ranks(), call.radix(), call.wires()) * directions()
                * model.message(call.bytes());
        }
        return model.pipeline(hops(call.ranks(), call.wires()), messages(call), call.bytes(), call.chunk());
    }

    /** An allreduce goes up and down: 2; else 1. */
    private int directions() {
        return collective() == Collective.ALLREDUCE ? 2 : 1;
    }

    /**
     * How many times the vector's bytes the busiest rank sends. At each level a leader sends to the next one of its
     * group, in an allreduce upwards too. With several leaders, each sends its slice outwards. Within groups slices
     * travel both ways from where they enter, so a rank in the middle sends one slice more than there are.
     */
    private double messages(PredictedCall call) {
        Hierarchy hierarchy = call.wires().hierarchy(call.ranks());
        int levels = 0;
        int most = 1;
        int outermost = 1;
        for (int level = 1; level <= hierarchy.depth(); level++) {
            int members = hierarchy.most(level);
            levels += members > 1 ? 1 : 0;
            most = Math.max(most, members);
            outermost = members > 1 ? members : outermost;
        }
        int slices = leaders == Leaders.ONE ? 1 : Math.min(call.radix(), hierarchy.fewest());
        if (slices > 1) {
            return directions() * (1 + (double) levels / slices);
        }
        return directions() == 2 ? Math.max(most > 2 ? 2 : 1, levels + (outermost > 2 ? 1 : 0)) : Math.max(1, levels);
    }
}

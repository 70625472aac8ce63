package org.brigade.algorithm;

import mpi.spi.Collective;
import org.brigade.pattern.CommunicatorTopology;
import org.brigade.pattern.Hierarchy;

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
    public final int hops(int ranks, CommunicatorTopology wires) {
        return leaders == Leaders.ONE_OF_TREES ? 0 : directions() * wires.hierarchy(ranks).chainHops();
    }

    @Override
    protected final double equation(CostModel model, PredictedCall call) {
        Hierarchy hierarchy = call.wires().hierarchy(call.ranks());
        int slices = leaders == Leaders.SEVERAL ? Math.min(call.radix(), hierarchy.fewest()) : 1;
        long slice = (call.bytes() + slices - 1) / slices;
        double windows = CostModel.windows(slice, call.chunk());
        boolean swap = call.ranks() == 2 && slices == 2 && collective() == Collective.ALLREDUCE;
        double messages = swap ? 2 * windows
            : first(hierarchy, call.radix(), slices) + (windows - 1) * busiest(hierarchy, call.radix(), slices);
        long window = windows == 1 ? slice : call.chunk();
        double waited = windows * waiting(hierarchy, call.radix());
        return (messages - waited) * model.message(window) + waited * model.queued(window);
    }

    /** Of a tree's messages towards the root, those that wait at their receiver for others of their round. */
    private int waiting(Hierarchy hierarchy, int radix) {
        int waiting = 0;
        for (int level = 1; level <= hierarchy.depth() && leaders == Leaders.ONE_OF_TREES
            && collective() != Collective.BCAST; level++) {
            int members = hierarchy.most(level);
            waiting += CostModel.treeMessages(members, radix) - CostModel.rounds(members, radix);
        }
        return waiting;
    }

    /** An allreduce goes up and down: 2; else 1. */
    private int directions() {
        return collective() == Collective.ALLREDUCE ? 2 : 1;
    }

    /** Messages one after another from the leader of the largest group of a level to its last member. */
    private int within(Hierarchy hierarchy, int level, int radix) {
        int members = hierarchy.most(level);
        return leaders == Leaders.ONE_OF_TREES ? CostModel.treeMessages(members, radix) : members - 1;
    }

    /**
     * Messages one after another until the first window has come to all ranks. Away from the root a leader sends to the
     * next one and within its group at once, by one port; towards the root its group's sum is there before. With
     * several leaders the last slice waits for the others, and goes through its own leader in two groups.
     */
    private double first(Hierarchy hierarchy, int radix, int slices) {
        int up = 0;
        int down = 0;
        int below = 0;
        for (int level = 1; level <= hierarchy.depth(); level++) {
            int hops = within(hierarchy, level, radix);
            boolean trees = leaders == Leaders.ONE_OF_TREES;
            int passed = trees ? CostModel.rounds(hierarchy.most(level), radix) : hops;
            up += hops;
            down += hops + Math.min(trees ? hops : Integer.MAX_VALUE, passed * below);
            below += trees ? hops : Math.min(hops, 1);
        }
        int groups = hierarchy.depth() > 1 ? 2 : 1;
        return switch (collective()) {
            case BCAST -> down + groups * (slices - 1);
            case REDUCE -> up + groups * groups * (slices - 1);
            default -> up + down + 2 * groups * (slices - 1);
        };
    }

    /**
     * Messages that the busiest port sends, or takes in, for each window. At each level a leader sends to the next one
     * of its group, in an allreduce upwards too. With several leaders, each sends its slice outwards. Within groups
     * slices travel both ways from where they enter, so a rank in the middle sends one slice more than there are.
     */
    private double busiest(Hierarchy hierarchy, int radix, int slices) {
        int messages = 0;
        int levels = 0;
        int most = 1;
        int outermost = 1;
        for (int level = 1; level <= hierarchy.depth(); level++) {
            int members = hierarchy.most(level);
            messages += within(hierarchy, level, radix);
            levels += members > 1 ? 1 : 0;
            most = Math.max(most, members);
            outermost = members > 1 ? members : outermost;
        }
        if (leaders == Leaders.ONE_OF_TREES) {
            return messages;
        }
        if (slices > 1) {
            return directions() * (slices + (directions() == 2 && outermost == 2 ? 1 : levels));
        }
        return directions() == 2 ? Math.max(most > 2 ? 2 : 1, levels + (outermost > 2 ? 1 : 0)) : levels;
    }
}

package org.brigade.bootstrap;

import java.util.Arrays;

/** The ranks of a job that run on one machine, by their processors, as one of these ranks sees them. */
public final class MachineRanks {
    private static final int MOST_SHOWN = 16;

    /** By place on the machine. */
    final Processors[] all;
    /** The place of the rank that looks. */
    final int mine;
    /** How many of these ranks share its control group. */
    final int group;

    /**
     * @param all the processors of each rank of the machine
     * @param mine the place of the rank that looks
     * @param group how many of these ranks share its control group
     */
    public MachineRanks(Processors[] all, int mine, int group) {
        this.all = all;
        this.mine = mine;
        this.group = group;
    }

    /** This rank's share of the processors. */
    public CoreShare share() {
        return CoreShare.of(all, mine, group);
    }

    /** See {@link CoreShare#home}. */
    public int home() {
        return CoreShare.home(all, mine);
    }

    /** All processors on which one of these ranks may run. */
    long[] taken() {
        long[] taken = new long[Processors.MASK_WORDS];
        for (Processors each : all) {
            long[] mask = each.mask();
            for (int word = 0; word < mask.length; word++) {
                taken[word] |= mask[word];
            }
        }
        return taken;
    }

    /** How many ranks there are. */
    public int count() {
        return all.length;
    }

    /** How many processors they may use, as far as the control group of the rank that looks grants; 0: unknown. */
    public int processors() {
        for (Processors each : all) {
            if (!each.isKnown()) {
                return 0;
            }
        }
        return Math.min(SpareProcessors.count(taken()), all[mine].quota());
    }

    /** {@code not bound: all on 0-1}, or {@code bound, in their order, to 0; 1; 2}. */
    @Override
    public String toString() {
        boolean alike = true;
        StringBuilder each = new StringBuilder();
        for (int i = 0; i < all.length; i++) {
            alike &= Arrays.equals(all[i].mask(), all[0].mask());
            if (i < MOST_SHOWN) {
                each.append(i == 0 ? "" : "; ").append(all[i]);
            }
        }
        return alike && (all.length > 1 || all[0].count() > 1)
            ? "not bound: " + (all.length > 1 ? "all on " : "on ") + all[0]
            : "bound, in their order, to " + each + (all.length > MOST_SHOWN ? "; ..." : "");
    }

    /** How many ranks have their first processor among these. */
    int among(long[] processors) {
        int count = 0;
        for (Processors each : all) {
            int first = each.first();
            boolean known = first >= 0 && first >> 6 < processors.length;
            count += known && (processors[first >> 6] >>> (first & 63) & 1) != 0 ? 1 : 0;
        }
        return count;
    }
}

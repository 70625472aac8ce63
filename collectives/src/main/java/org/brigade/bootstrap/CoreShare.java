package org.brigade.bootstrap;

import java.util.Arrays;

/**
 * Whether a rank can have a processor to itself, given the affinities of all ranks of its machine. A rank that can may
 * spin while it waits; any other would spin on the processor of the rank that it waits for.
 *
 * <p>
 * Each rank is given one processor, as a matching of a bipartite graph: the best that a scheduler can do. Ranks without
 * one share with those that could have taken their place, and so on: these ranks compete (Dulmage and Mendelsohn 1958).
 * All others have a processor each. Which ranks compete does not depend on the matching found.
 */
public final class CoreShare {
    private final boolean own;
    private final boolean single;

    private CoreShare(boolean own, boolean single) {
        this.own = own;
        this.single = single;
    }

    /**
     * The share of one rank.
     *
     * @param machine the processors of each rank of the machine
     * @param rank its place there
     * @param group how many of these ranks share its control group
     */
    public static CoreShare of(Processors[] machine, int rank, int group) {
        for (Processors each : machine) {
            if (!each.isKnown()) {
                return ofThreads(machine.length);
            }
        }
        Processors mine = machine[rank];
        boolean own = group <= mine.quota() && !compete(machine)[rank];
        return new CoreShare(own, mine.count() == 1);
    }

    /** The share of each of this many ranks, if all may run wherever this process may. */
    public static CoreShare ofThreads(int ranks) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new CoreShare(ranks <= processors, false);
    }

    /** Whether the rank can have a processor to itself. */
    public boolean hasOwn() {
        return own;
    }

    /** Whether the rank may run on one processor only, so that its JVM's compiler and collector run there too. */
    public boolean isSingle() {
        return single;
    }

    /** Which ranks have to share processors with others. */
    static boolean[] compete(Processors[] machine) {
        if (!alike(machine)) {
            return new Matching(machine).compete();
        }
        boolean[] compete = new boolean[machine.length];
        Arrays.fill(compete, machine.length > machine[0].count());
        return compete;
    }

    /** Whether no rank is bound; nearly always so. */
    private static boolean alike(Processors[] machine) {
        for (Processors each : machine) {
            if (!Arrays.equals(each.mask(), machine[0].mask())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return (own ? "own" : "shared") + (single ? ", one processor" : "");
    }

    /** Each rank in turn takes a free processor, or moves others to free one. */
    private static final class Matching {
        private final Processors[] ranks;
        /** By processor the rank that has it; by rank its processor; -1 for none. */
        private final int[] holder = new int[Processors.MASK_WORDS * Long.SIZE];
        private final int[] held;
        /** In a search: by processor the rank that would take it. */
        private final int[] taker = new int[holder.length];
        /** Processors from which no search reaches a free one: their ranks compete. */
        private long[] taken = new long[Processors.MASK_WORDS];

        Matching(Processors[] ranks) {
            this.ranks = ranks;
            this.held = new int[ranks.length];
            Arrays.fill(holder, -1);
            Arrays.fill(held, -1);
        }

        boolean[] compete() {
            boolean[] compete = new boolean[ranks.length];
            for (int rank = 0; rank < ranks.length; rank++) {
                seat(rank);
            }
            for (int rank = 0; rank < ranks.length; rank++) {
                int processor = held[rank];
                compete[rank] = processor < 0 || (taken[processor >> 6] >>> (processor & 63) & 1) != 0;
            }
            return compete;
        }

        private void seat(int rank) {
            long[] seen = taken.clone();
            int[] queue = new int[ranks.length];
            int end = 0;
            queue[end++] = rank;
            for (int next = 0; next < end; next++) {
                long[] mask = ranks[queue[next]].mask();
                for (int word = 0; word < mask.length; word++) {
                    long unseen = mask[word] & ~seen[word];
                    seen[word] |= unseen;
                    for (; unseen != 0; unseen &= unseen - 1) {
                        int processor = word * Long.SIZE + Long.numberOfTrailingZeros(unseen);
                        taker[processor] = queue[next];
                        if (holder[processor] < 0) {
                            hand(processor, rank);
                            return;
                        }
                        queue[end++] = holder[processor];
                    }
                }
            }
            taken = seen;
        }

        /**
         * Gives a free processor to the rank that reached it, that rank's processor to the one before, and so on back
         * to the rank that searched.
         */
        private void hand(int free, int seeker) {
            int processor = free;
            while (true) {
                int rank = taker[processor];
                int given = held[rank];
                holder[processor] = rank;
                held[rank] = processor;
                if (rank == seeker) {
                    return;
                }
                processor = given;
            }
        }
    }
}

package org.brigade.bootstrap;

import java.util.Arrays;

/**
 * How many processors a rank can have to itself, given the affinities of all ranks of its machine. The answer decides
 * how the rank waits.
 *
 * <p>
 * Each rank is given one processor, as a matching of a bipartite graph: the best that a scheduler can do. Ranks without
 * one share with those that could have taken their place, and so on: these ranks compete (Dulmage and Mendelsohn 1958).
 * All others have a processor each. Which ranks compete does not depend on the matching found. The second question is
 * the same with two threads for each rank, as its JVM compiles and collects beside it.
 */
public enum CoreShare {
    /** The rank may have to share a processor with another rank. If it spins, the rank that it waits for may starve. */
    SHARED("a processor that other ranks use too"),
    /** The rank can have a processor to itself, but its JVM's compiler and collector run there too. */
    OWN("a processor of its own, shared with its JVM's compiler and collector"),
    /** The rank can have a processor to itself, and its JVM's other threads another one. */
    SPARE("a processor of its own, and one for its JVM's compiler and collector");

    private final String text;

    CoreShare(String text) {
        this.text = text;
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
        int quota = machine[rank].quota();
        if (group > quota || compete(machine, rank)) {
            return SHARED;
        }
        return group > quota / 2 || compete(twice(machine), rank) ? OWN : SPARE;
    }

    /**
     * The processor of a rank where no rank is bound, or all to the same processors, and each can have one: the first
     * rank has the first, and so on. Else -1: then the launcher has placed them, or there are too few.
     */
    public static int home(Processors[] machine, int rank) {
        if (!machine[0].isKnown() || !alike(machine) || machine.length > machine[0].count()) {
            return -1;
        }
        long[] mask = machine[0].mask();
        int before = rank;
        for (int processor = 0;; processor++) {
            if ((mask[processor >> 6] >>> (processor & 63) & 1) != 0 && before-- == 0) {
                return processor;
            }
        }
    }

    /**
     * A processor for each rank, no two the same: the lowest where no rank is bound.
     *
     * @return null if there are too few, or some rank's are not known
     */
    static int[] homes(Processors[] machine) {
        for (Processors each : machine) {
            if (!each.isKnown()) {
                return null;
            }
        }
        int[] held = new Matching(machine).held;
        for (int each : held) {
            if (each < 0) {
                return null;
            }
        }
        return held;
    }

    /** The share of each of this many ranks, if all may run wherever this process may. */
    public static CoreShare ofThreads(int ranks) {
        return of(ranks, Runtime.getRuntime().availableProcessors());
    }

    private static CoreShare of(int ranks, int processors) {
        return ranks > processors ? SHARED : ranks > processors / 2 ? OWN : SPARE;
    }

    /** The smaller of two shares. */
    public CoreShare least(CoreShare other) {
        return compareTo(other) < 0 ? this : other;
    }

    private static Processors[] twice(Processors[] ranks) {
        Processors[] threads = Arrays.copyOf(ranks, 2 * ranks.length);
        System.arraycopy(ranks, 0, threads, ranks.length, ranks.length);
        return threads;
    }

    /** Whether one of these threads has to share its processor with others of them. */
    static boolean compete(Processors[] threads, int which) {
        return alike(threads) ? threads.length > threads[0].count() : new Matching(threads).competes(which);
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

    /** What the rank has, for people. */
    @Override
    public String toString() {
        return text;
    }

    /** Each thread in turn takes a free processor, or moves others to free one. */
    private static final class Matching {
        private final Processors[] threads;
        /** By processor the thread that has it; by thread its processor; -1 for none. */
        private final int[] holder = new int[Processors.MASK_WORDS * Long.SIZE];
        private final int[] held;
        /** In a search: by processor the thread that would take it. */
        private final int[] taker = new int[holder.length];
        /** Processors from which no search reaches a free one: their threads compete. */
        private long[] taken = new long[Processors.MASK_WORDS];

        Matching(Processors[] threads) {
            this.threads = threads;
            this.held = new int[threads.length];
            Arrays.fill(holder, -1);
            Arrays.fill(held, -1);
            for (int thread = 0; thread < threads.length; thread++) {
                seat(thread);
            }
        }

        boolean competes(int thread) {
            int processor = held[thread];
            return processor < 0 || (taken[processor >> 6] >>> (processor & 63) & 1) != 0;
        }

        private void seat(int thread) {
            long[] seen = taken.clone();
            int[] queue = new int[threads.length];
            int end = 0;
            queue[end++] = thread;
            for (int next = 0; next < end; next++) {
                long[] mask = threads[queue[next]].mask();
                for (int word = 0; word < mask.length; word++) {
                    long unseen = mask[word] & ~seen[word];
                    seen[word] |= unseen;
                    for (; unseen != 0; unseen &= unseen - 1) {
                        int processor = word * Long.SIZE + Long.numberOfTrailingZeros(unseen);
                        taker[processor] = queue[next];
                        if (holder[processor] < 0) {
                            hand(processor, thread);
                            return;
                        }
                        queue[end++] = holder[processor];
                    }
                }
            }
            taken = seen;
        }

        /**
         * Gives a free processor to the thread that reached it, that thread's processor to the one before, and so on
         * back to the thread that searched.
         */
        private void hand(int free, int seeker) {
            int processor = free;
            while (true) {
                int thread = taker[processor];
                int given = held[thread];
                holder[processor] = thread;
                held[thread] = processor;
                if (thread == seeker) {
                    return;
                }
                processor = given;
            }
        }
    }
}

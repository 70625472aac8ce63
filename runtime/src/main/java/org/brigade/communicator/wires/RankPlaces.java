package org.brigade.communicator.wires;

import java.util.Arrays;
import org.brigade.pattern.Levels;
import org.brigade.topology.Place;

/**
 * Where the ranks of a communicator run. Each rank describes its place in one word; the host is the node's number:
 *
 * <pre>
 *   63         40 39       28 27        14 13         0
 *   +------------+-----------+------------+------------+
 *   | host       | NUMA node | last cache | processor  |    all ones: on several, or unknown
 *   +------------+-----------+------------+------------+
 * </pre>
 */
final class RankPlaces {
    private static final int NUMA_BITS = 12;
    private static final int CPU_BITS = 14;
    private static final int HOST_SHIFT = NUMA_BITS + 2 * CPU_BITS;
    private static final int NUMA_SHIFT = 2 * CPU_BITS;
    private static final int UNKNOWN = -1;
    /** Words that {@link #summary} sets. */
    static final int SUMMARY_WORDS = 4;

    private final long[] words;

    RankPlaces(long[] words) {
        this.words = words;
    }

    static long word(int host, Place place) {
        return (long) host << HOST_SHIFT | field(place.numa(), NUMA_BITS) << NUMA_SHIFT
            | field(place.cache(), CPU_BITS) << CPU_BITS | field(place.cpu(), CPU_BITS);
    }

    /** A number too large for the field becomes unknown. */
    private static long field(int value, int bits) {
        int ones = (1 << bits) - 1;
        return value < 0 || value > ones ? ones : value;
    }

    /**
     * Sets one rank's summary: its NUMA node and its cache, each also negated. From the greatest of all ranks'
     * summaries, {@link #mayDivide} tells whether it is worth exchanging the whole words.
     *
     * @param words receives the summary, starting at {@code words[at]}
     */
    static void summary(long word, long[] words, int at) {
        words[at] = value(word, NUMA_SHIFT, NUMA_BITS);
        words[at + 1] = -words[at];
        words[at + 2] = value(word, CPU_BITS, CPU_BITS);
        words[at + 3] = -words[at + 2];
    }

    /**
     * Whether places may divide the ranks further than hosts do, judged by the greatest of all ranks' {@link #summary}:
     * all ranks know their NUMA node and the numbers differ, or likewise their cache.
     */
    static boolean mayDivide(long[] words, int at) {
        return differ(words[at], -words[at + 1]) || differ(words[at + 2], -words[at + 3]);
    }

    private static boolean differ(long most, long least) {
        return least != UNKNOWN && least != most;
    }

    /** The processor that a rank with this word is bound to, or -1. */
    static int processor(long word) {
        return value(word, 0, CPU_BITS);
    }

    private static int value(long word, int shift, int bits) {
        int ones = (1 << bits) - 1;
        int value = (int) (word >>> shift) & ones;
        return value == ones ? UNKNOWN : value;
    }

    /** The host number of each rank. */
    int[] hosts() {
        int[] hosts = new int[words.length];
        for (int rank = 0; rank < hosts.length; rank++) {
            hosts[rank] = (int) (words[rank] >>> HOST_SHIFT);
        }
        return hosts;
    }

    /** The processor that each rank is bound to, or -1. */
    int[] processors() {
        int[] processors = new int[words.length];
        for (int rank = 0; rank < processors.length; rank++) {
            processors[rank] = processor(words[rank]);
        }
        return processors;
    }

    /**
     * The levels of shared caches, NUMA nodes and hosts: those that every rank knows and that divide the ranks. A cache
     * that spans NUMA nodes counts as one cache in each of them.
     */
    Levels levels() {
        int[] hosts = hosts();
        int[] numa = divided(hosts, NUMA_SHIFT, NUMA_BITS);
        int[] inHosts = numa != null ? numa : hosts;
        int[] cache = divided(inHosts, CPU_BITS, CPU_BITS);
        return Levels.dividing(cache != null ? cache : inHosts, inHosts, hosts);
    }

    /** Divides groups further by a field of the word; null if some rank does not know its value. */
    private int[] divided(int[] groups, int shift, int bits) {
        long[] both = new long[words.length];
        for (int rank = 0; rank < both.length; rank++) {
            int value = value(words[rank], shift, bits);
            if (value == UNKNOWN) {
                return null;
            }
            both[rank] = (long) groups[rank] << Integer.SIZE | value;
        }
        long[] sorted = both.clone();
        Arrays.sort(sorted);
        int distinct = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[distinct - 1]) {
                sorted[distinct++] = sorted[i];
            }
        }
        int[] parts = new int[both.length];
        for (int rank = 0; rank < parts.length; rank++) {
            parts[rank] = Arrays.binarySearch(sorted, 0, distinct, both[rank]);
        }
        return parts;
    }
}

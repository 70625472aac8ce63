package org.brigade.communicator;

import java.util.Arrays;
import org.brigade.pattern.Levels;
import org.brigade.topology.Place;

/**
 * Where the ranks of a communicator run, as each has told the others in a word:
 *
 * <pre>
 *   63         40 39       28 27        14 13         0
 *   +------------+-----------+------------+------------+
 *   | host, hash | NUMA node | last cache | processor  |    all ones: on several, or unknown
 *   +------------+-----------+------------+------------+
 * </pre>
 */
final class RankPlaces {
    private static final int NUMA_BITS = 12;
    private static final int CPU_BITS = 14;
    private static final int HOST_SHIFT = NUMA_BITS + 2 * CPU_BITS;
    private static final int NUMA_SHIFT = 2 * CPU_BITS;
    private static final int UNKNOWN = -1;

    private final long[] words;

    RankPlaces(long[] words) {
        this.words = words;
    }

    static long word(String host, Place place) {
        return (long) host.hashCode() << HOST_SHIFT | field(place.numa(), NUMA_BITS) << NUMA_SHIFT | field(place.cache(), CPU_BITS) << CPU_BITS | field(place.cpu(), CPU_BITS);
    }

    /** A number above what the field holds is as good as unknown. */
    private static long field(int value, int bits) {
        int ones = (1 << bits) - 1;
        return value < 0 || value > ones ? ones : value;
    }

    private static int value(long word, int shift, int bits) {
        int ones = (1 << bits) - 1;
        int value = (int) (word >>> shift) & ones;
        return value == ones ? UNKNOWN : value;
    }

    /** For each rank a number that the ranks of its host share. */
    int[] hosts() {
        int[] hosts = new int[words.length];
        for (int rank = 0; rank < hosts.length; rank++) {
            hosts[rank] = (int) (words[rank] >>> HOST_SHIFT);
        }
        return hosts;
    }

    /** For each rank the processor it is bound to, or -1. */
    int[] processors() {
        int[] processors = new int[words.length];
        for (int rank = 0; rank < processors.length; rank++) {
            processors[rank] = value(words[rank], 0, CPU_BITS);
        }
        return processors;
    }

    /** Hosts, NUMA nodes and shared caches, as far as every rank knows its own, and as far as they divide the ranks: a level that says what another says is left out. */
    Levels levels() {
        int[] hosts = hosts();
        int[][] levels = {};
        levels = with(levels, within(hosts, CPU_BITS, CPU_BITS));
        levels = with(levels, within(hosts, NUMA_SHIFT, NUMA_BITS));
        levels = with(levels, hosts);
        return new Levels(levels);
    }

    /** Groups of ranks whose field is the same on the same host; null if some rank does not know. */
    private int[] within(int[] hosts, int shift, int bits) {
        int[] groups = new int[words.length];
        for (int rank = 0; rank < groups.length; rank++) {
            int value = value(words[rank], shift, bits);
            if (value == UNKNOWN) {
                return null;
            }
            groups[rank] = rank;
            for (int other = 0; other < rank; other++) {
                if (hosts[other] == hosts[rank] && value(words[other], shift, bits) == value) {
                    groups[rank] = groups[other];
                    break;
                }
            }
        }
        return groups;
    }

    /** The levels with one more around them, if there is something new in it. Where caches reach over NUMA nodes, they are no level within these, so that one of the two is left out. */
    private static int[][] with(int[][] levels, int[] groups) {
        if (groups == null || !new Levels(new int[][] {groups}).divide()) {
            return levels;
        }
        int[][] more = Arrays.copyOf(levels, levels.length + 1);
        more[levels.length] = groups;
        Levels all;
        try {
            all = new Levels(more);
        } catch (IllegalArgumentException notNested) {
            return new int[][] {groups};
        }
        int last = levels.length;
        return last > 0 && Arrays.equals(all.groupOf()[last], all.groupOf()[last - 1]) ? levels : more;
    }
}

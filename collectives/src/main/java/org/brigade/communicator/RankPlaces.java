package org.brigade.communicator;

import org.brigade.pattern.Levels;
import org.brigade.topology.Place;

/**
 * Where the ranks of a communicator run, as each has told the others in a word. The host is the node's number where there are several, else the hash of a name:
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

    private final long[] words;

    RankPlaces(long[] words) {
        this.words = words;
    }

    static long word(int host, Place place) {
        return (long) host << HOST_SHIFT | field(place.numa(), NUMA_BITS) << NUMA_SHIFT | field(place.cache(), CPU_BITS) << CPU_BITS | field(place.cpu(), CPU_BITS);
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

    /** Shared caches, NUMA nodes and hosts, as far as every rank knows its own, and as far as they divide the ranks. Where a cache reaches over NUMA nodes, it counts in each by itself. */
    Levels levels() {
        int[] hosts = hosts();
        int[] numa = divided(hosts, NUMA_SHIFT, NUMA_BITS);
        int[] inHosts = numa != null ? numa : hosts;
        int[] cache = divided(inHosts, CPU_BITS, CPU_BITS);
        return Levels.dividing(cache != null ? cache : inHosts, inHosts, hosts);
    }

    /** Groups divided by a field of the word; null if some rank does not know its own. */
    private int[] divided(int[] groups, int shift, int bits) {
        int[] parts = new int[words.length];
        for (int rank = 0; rank < parts.length; rank++) {
            int value = value(words[rank], shift, bits);
            if (value == UNKNOWN) {
                return null;
            }
            parts[rank] = rank;
            for (int other = 0; other < rank; other++) {
                if (groups[other] == groups[rank] && value(words[other], shift, bits) == value) {
                    parts[rank] = parts[other];
                    break;
                }
            }
        }
        return parts;
    }
}

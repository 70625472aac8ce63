package org.brigade.tuned;

import java.util.Arrays;
import org.brigade.bootstrap.Nodes;

/**
 * What jobs must have in common for measurements of one to hold for another: how many nodes, how many ranks on them,
 * what joins them, and of what cluster they are. Nodes of a cluster are told by their hosts' names without numbers:
 * node7 and node12 are of node*.
 *
 * @param hosts the name of the first node's host, without numbers; and whether others have other names
 * @param hash of all such names
 * @param least fewest ranks of a node
 * @param most most ranks of a node
 */
public record ClusterShape(String fabric, String hosts, int hash, int nodes, int ranks, int least, int most) {
    /**
     * The shape of a job.
     *
     * @param stems by rank, of its host's {@link #stem}
     */
    public static ClusterShape of(String fabric, Nodes nodes, String host, long[] stems) {
        int[] here = new int[nodes.count()];
        long[] distinct = new long[nodes.count()];
        for (int rank = 0; rank < stems.length; rank++) {
            here[nodes.of(rank)]++;
            distinct[nodes.of(rank)] = stems[rank];
        }
        Arrays.sort(here);
        Arrays.sort(distinct);
        int different = 0;
        for (int i = 0; i < distinct.length; i++) {
            if (i == 0 || distinct[i] != distinct[i - 1]) {
                distinct[different++] = distinct[i];
            }
        }
        return new ClusterShape(fabric, stem(host) + (different > 1 ? " and others" : ""),
            Arrays.hashCode(Arrays.copyOf(distinct, different)), nodes.count(), stems.length, here[0],
            here[here.length - 1]);
    }

    /** The shape of a job with ranks in blocks on hosts that are named like this one. */
    public static ClusterShape here(String fabric, int nodes, int ranks, String host) {
        int[] lowest = new int[ranks];
        for (int rank = 1; rank < ranks; rank++) {
            lowest[rank] = (long) rank * nodes / ranks > (rank - 1L) * nodes / ranks ? rank : lowest[rank - 1];
        }
        long[] stems = new long[ranks];
        Arrays.fill(stems, word(host));
        return of(fabric, Nodes.of(0, lowest), host, stems);
    }

    /** A host's stem as a number. */
    public static long word(String host) {
        String stem = stem(host);
        long hash = 0xcbf29ce484222325L; // FNV-1a
        for (int i = 0; i < stem.length(); i++) {
            hash = (hash ^ stem.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    /** {@code rack*-node*} of rack1-node17; up to the first dot, as names of one host may have a domain or not. */
    static String stem(String host) {
        StringBuilder stem = new StringBuilder();
        for (int i = 0; i < host.length() && host.charAt(i) != '.'; i++) {
            char c = host.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            if (!digit) {
                stem.append(c > ' ' && c <= '~' && c != '#' ? c : '?');
            } else if (stem.length() == 0 || stem.charAt(stem.length() - 1) != '*') {
                stem.append('*');
            }
        }
        return stem.toString();
    }

    /** {@code 4 nodes node* with 2 ranks each, joined by mpi}. */
    @Override
    public String toString() {
        return nodes + " nodes " + hosts + " with "
            + (least == most ? least + (least == 1 ? " rank" : " ranks") + " each"
                : least + " to " + most + " ranks, " + ranks + " in all")
            + ", joined by " + fabric;
    }
}

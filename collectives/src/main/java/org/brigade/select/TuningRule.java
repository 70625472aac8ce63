package org.brigade.select;

import mpi.spi.Collective;
import org.brigade.pattern.Wires;

/**
 * One line of a tuning table: for these ranks, nodes, fabric and bytes, this algorithm.
 *
 * @param minRanks fewest ranks, inclusive
 * @param maxRanks most ranks, inclusive; Integer.MAX_VALUE if open
 * @param minNodes fewest nodes of the ranks, inclusive
 * @param maxNodes most nodes, inclusive; Integer.MAX_VALUE if open
 * @param fabric name of what joins the nodes; empty for any
 * @param minBytes fewest bytes, inclusive
 * @param maxBytes most bytes, inclusive; Long.MAX_VALUE if open
 * @param algorithm its name within the collective
 * @param chunkBytes bytes of a window; 0 if the line gives none
 * @param radix branching; 0 if the line gives none
 * @param blocks thread blocks of a kernel; 0 if the line gives none
 * @param sharePercent percentage of the bytes that goes through host memory; 0 if the line gives none
 * @param line line number, from 1
 * @param provenance where and when the line was measured, or "simulated" and the machine; empty if the table does not
 * say
 * @param calls which calls it applies to; for host memory always all
 */
public record TuningRule(Collective collective, int minRanks, int maxRanks, int minNodes, int maxNodes, String fabric,
    long minBytes, long maxBytes, String algorithm, long chunkBytes,
    int radix, int blocks, int sharePercent, int line, String provenance, Calls calls) {
    // Bounds of what a line and a setting may say.
    static final long LEAST_CHUNK = 64;
    static final long MOST_CHUNK = 1L << 40;
    static final int MOST_RADIX = 1 << 20;
    /** MAX_BLOCKS of call.cuh. */
    static final int MOST_BLOCKS = 512;
    static final int MOST_SHARE = 50;

    boolean matches(int ranks, Wires wires, long bytes) {
        return serves(ranks, wires) && bytes >= minBytes && bytes <= maxBytes;
    }

    boolean serves(int ranks, Wires wires) {
        return ranks >= minRanks && ranks <= maxRanks && wires.nodes() >= minNodes && wires.nodes() <= maxNodes
            && (fabric.isEmpty() || fabric.equals(wires.fabric()));
    }

    /** {@code ranks 8.., nodes 2.., bytes 256K..4M, streams}. */
    String conditions() {
        String nodes = minNodes == 1 && maxNodes == Integer.MAX_VALUE ? "" : ", nodes " + open(minNodes, maxNodes);
        String joined = fabric.isEmpty() ? "" : ", fabric " + fabric;
        return "ranks " + open(minRanks, maxRanks) + nodes + joined + ", bytes " + ByteSize.compact(minBytes) + ".."
            + (maxBytes == Long.MAX_VALUE ? "" : ByteSize.compact(maxBytes)) + calls.words;
    }

    private static String open(int least, int most) {
        return least + ".." + (most == Integer.MAX_VALUE ? "" : String.valueOf(most));
    }
}

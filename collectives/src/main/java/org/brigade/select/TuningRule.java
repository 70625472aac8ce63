package org.brigade.select;

import mpi.spi.Collective;

/**
 * One line of a tuning table: for these communicators and bytes, this algorithm.
 *
 * @param scope the communicators that it is for
 * @param minBytes fewest bytes, inclusive
 * @param maxBytes most bytes, inclusive; Long.MAX_VALUE if open
 * @param algorithm its name within the collective, or {@link #PREDICTED}
 * @param chunkBytes bytes of a window; 0 if the line gives none
 * @param radix branching; 0 if the line gives none
 * @param blocks thread blocks of a kernel; 0 if the line gives none
 * @param sharePercent percentage of the bytes that goes through host memory; 0 if the line gives none
 * @param line line number, from 1
 * @param provenance where and when the line was measured, or "simulated" and the machine; empty if the table does not
 * say
 * @param calls which calls it applies to; for host memory all or the first
 */
public record TuningRule(Collective collective, RuleScope scope, long minBytes, long maxBytes, String algorithm,
    long chunkBytes, int radix, int blocks, int sharePercent, int line, String provenance, CallMode calls) {
    /** In place of an algorithm: the one whose equation predicts the shortest time. */
    static final String PREDICTED = "predicted";

    // Bounds of what a line and a setting may say.
    static final long LEAST_CHUNK = 64;
    static final long MOST_CHUNK = 1L << 40;
    static final int MOST_RADIX = 1 << 20;
    /** MAX_BLOCKS of call.cuh. */
    static final int MOST_BLOCKS = 512;
    static final int MOST_SHARE = 50;

    boolean includes(long bytes) {
        return bytes >= minBytes && bytes <= maxBytes;
    }

    /** Whether the cost equations choose among the algorithms, as nobody measured. */
    boolean isPredicted() {
        return algorithm.equals(PREDICTED);
    }

    /** {@code ranks 8.., nodes 2.., bytes 256K..4M, streams}. */
    String conditions() {
        return scope.words() + ", bytes " + ByteSize.compact(minBytes) + ".."
            + (maxBytes == Long.MAX_VALUE ? "" : ByteSize.compact(maxBytes)) + calls.words;
    }
}

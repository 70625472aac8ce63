package org.brigade.trace;

import java.util.List;

/**
 * What one rank has recorded.
 *
 * @param spans in the order of their starts
 * @param start when it had joined the job, by rank 0's clock
 * @param end when it left, or its last event ended
 * @param clockError nanoseconds by which its clock may be off: half of the fastest exchange with rank 0
 */
record RankTrace(int rank, int size, int node, String host, long start, long end, long clockError,
    List<TracedSpan> spans) {
    /** Nanoseconds between joining and leaving. */
    long nanos() {
        return end - start;
    }

    /** Nanoseconds within calls. */
    long inCalls() {
        return new CallTime(spans).between(start, end);
    }
}

package org.brigade.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The chain of work that decided how long the job took: backwards from the rank that ended last, along each wait to the
 * rank that was waited for, at the time at which the wait ended. A second saved on this path is a second saved by the
 * job; elsewhere it is not. After Böhme et al., "Identifying the root causes of wait states" (2010).
 */
final class CriticalPath {
    /** A stretch of the path: this rank worked, or was in calls, from one time to another. */
    record Stretch(int rank, long start, long end, long inCalls) {
        long nanos() {
            return end - start;
        }
    }

    /** Waits that are shorter do not lead to another rank: they are the message's own travel. */
    private static final long SHORTEST_WAIT = 1_000;

    private final List<Stretch> stretches = new ArrayList<>();
    private final Map<Integer, CallTime> callTimes = new HashMap<>();

    CriticalPath(JobTrace trace) {
        RankTrace at = trace.ranks().get(0);
        for (RankTrace rank : trace.ranks()) {
            if (rank.end() > at.end()) {
                at = rank;
            }
        }
        List<PeerWait> waits = trace.waits();
        long now = at.end();
        int next = waits.size() - 1;
        while (next >= 0) {
            PeerWait wait = waits.get(next--);
            boolean leads = wait.rank() == at.rank() && wait.end() <= now && wait.nanos() >= SHORTEST_WAIT
                && trace.rank(wait.peer()) != null;
            if (leads) {
                add(at, wait.end(), now);
                now = wait.end();
                at = trace.rank(wait.peer());
            }
        }
        add(at, at.start(), now);
        Collections.reverse(stretches);
    }

    private void add(RankTrace rank, long start, long end) {
        if (end > start) {
            long inCalls = callTimes.computeIfAbsent(rank.rank(), key -> new CallTime(rank.spans())).between(start,
                end);
            stretches.add(new Stretch(rank.rank(), start, end, inCalls));
        }
    }

    /** In the order of time. */
    List<Stretch> stretches() {
        return stretches;
    }

    /** Nanoseconds on the path: by rank. */
    long[] nanos(int size, boolean inCalls) {
        long[] sums = new long[size];
        for (Stretch stretch : stretches) {
            sums[stretch.rank()] += inCalls ? stretch.inCalls() : stretch.nanos() - stretch.inCalls();
        }
        return sums;
    }
}

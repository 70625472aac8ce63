package org.brigade.trace;

import java.util.Arrays;
import java.util.List;

/** When one rank was within calls; threads may call at once. */
final class CallTime {
    private final long[] starts;
    private final long[] ends;
    /** Nanoseconds in the intervals before each one. */
    private final long[] before;

    /** @param spans in the order of their starts */
    CallTime(List<TracedSpan> spans) {
        long[] from = new long[spans.size()];
        long[] to = new long[spans.size()];
        int count = 0;
        for (TracedSpan span : spans) {
            if (!span.isCall()) {
                continue;
            }
            if (count > 0 && span.start() <= to[count - 1]) {
                to[count - 1] = Math.max(to[count - 1], span.end());
            } else {
                from[count] = span.start();
                to[count++] = span.end();
            }
        }
        starts = Arrays.copyOf(from, count);
        ends = Arrays.copyOf(to, count);
        before = new long[count + 1];
        for (int i = 0; i < count; i++) {
            before[i + 1] = before[i] + ends[i] - starts[i];
        }
    }

    private long until(long time) {
        int at = Arrays.binarySearch(starts, time);
        int begun = at >= 0 ? at + 1 : -at - 1;
        return begun == 0 ? 0 : before[begun - 1] + Math.min(time, ends[begun - 1]) - starts[begun - 1];
    }

    /** Nanoseconds within calls from one time to another. */
    long between(long start, long end) {
        return until(end) - until(start);
    }
}

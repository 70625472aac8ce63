package org.brigade.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All blocking calls of one collective with one size, number of ranks and algorithm. */
final class TracedCalls {
    /** What calls are summed up by. */
    record Shape(String collective, int ranks, int root, long bytes, String algorithm) {
    }

    /** One call on all ranks that recorded it. */
    private record Key(int context, long number) {
    }

    final Shape shape;
    /** The parameters of the algorithm and the rule that chose it. */
    final String detail;
    private final Map<Key, List<TracedSpan>> calls = new LinkedHashMap<>();

    private TracedCalls(Shape shape, String detail) {
        this.shape = shape;
        this.detail = detail;
    }

    /** Those of a job, the ones that took the most time first. */
    static List<TracedCalls> of(JobTrace trace) {
        Map<Shape, TracedCalls> all = new LinkedHashMap<>();
        for (RankTrace rank : trace.ranks()) {
            for (TracedSpan span : rank.spans()) {
                if (span.kind() == TracedSpan.Kind.COLLECTIVE && span.mode().equals("blocking") && span.number() >= 0) {
                    all.computeIfAbsent(new Shape(span.name(), span.ranks(), span.root(), span.bytes(),
                        span.algorithm()), shape -> new TracedCalls(shape, span.detail())).calls
                        .computeIfAbsent(new Key(span.context(), span.number()), key -> new ArrayList<>()).add(span);
                }
            }
        }
        List<TracedCalls> sorted = new ArrayList<>(all.values());
        sorted.sort(Comparator.comparingDouble((TracedCalls each) -> -each.count() * each.medianNanos(false)));
        return sorted;
    }

    int count() {
        return calls.size();
    }

    /** Median over the calls: from the last rank's (or the first one's) entry to the last rank's exit. */
    double medianNanos(boolean fromFirst) {
        double[] times = calls.values().stream().mapToDouble(call -> {
            long end = call.stream().mapToLong(TracedSpan::end).max().orElse(0);
            return end - (fromFirst ? call.stream().mapToLong(TracedSpan::start).min()
                : call.stream().mapToLong(TracedSpan::start).max()).orElse(0);
        }).sorted().toArray();
        return times[times.length / 2];
    }

    /** The call whose time is the median: by rank of its list, from first entry on. */
    long[] medianCall() {
        List<Map.Entry<Key, List<TracedSpan>>> sorted = new ArrayList<>(calls.entrySet());
        sorted.sort(Comparator.comparingLong(call -> call.getValue().stream().mapToLong(TracedSpan::end).max()
            .orElse(0) - call.getValue().stream().mapToLong(TracedSpan::start).max().orElse(0)));
        Map.Entry<Key, List<TracedSpan>> median = sorted.get(sorted.size() / 2);
        return new long[] {median.getKey().context(), median.getKey().number(),
            median.getValue().stream().mapToLong(TracedSpan::start).min().orElse(0),
            median.getValue().stream().mapToLong(TracedSpan::end).max().orElse(0)};
    }

    @Override
    public String toString() {
        return shape + " x " + Arrays.toString(calls.keySet().toArray());
    }
}

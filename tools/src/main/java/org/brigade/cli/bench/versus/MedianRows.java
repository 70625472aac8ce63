package org.brigade.cli.bench.versus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Collects the same measurements from several runs and returns their medians. If a program has several variants, the
 * fastest at each size counts.
 */
public final class MedianRows {
    /** By operation and bytes, then by variant. */
    private final Map<String, Map<String, List<BenchRow>>> runs = new LinkedHashMap<>();

    public synchronized void add(BenchRow row) {
        runs.computeIfAbsent(row.key(), key -> new LinkedHashMap<>())
            .computeIfAbsent(row.algorithm(), variant -> new ArrayList<>()).add(row);
    }

    /** One row for each measurement, in the order in which they first came. */
    public synchronized List<BenchRow> rows() {
        List<BenchRow> rows = new ArrayList<>();
        for (String key : runs.keySet()) {
            rows.add(best(key));
        }
        return rows;
    }

    /**
     * The medians of a measurement; null if there is none. Each of the three times is that of the variant with the
     * lowest median for it.
     */
    public synchronized BenchRow best(String key) {
        List<BenchRow> fastest = fastest(key);
        if (fastest == null) {
            return null;
        }
        BenchRow first = fastest.get(0);
        double stream = Double.NaN;
        double graph = Double.NaN;
        for (List<BenchRow> same : runs.get(key).values()) {
            stream = least(stream, median(same, BenchRow::stream));
            graph = least(graph, median(same, BenchRow::graph));
        }
        return new BenchRow(first.operation(), first.ranks(), first.bytes(), first.algorithm(),
            median(fastest, BenchRow::microseconds), stream, graph, first.calls());
    }

    /** Microseconds of each run, of the variant that {@link #best} returns; none if there is no such measurement. */
    public synchronized Samples samples(String key) {
        List<BenchRow> fastest = fastest(key);
        return fastest == null ? Samples.NONE : samples(fastest, BenchRow::microseconds);
    }

    private List<BenchRow> fastest(String key) {
        List<BenchRow> fastest = null;
        for (List<BenchRow> same : runs.getOrDefault(key, Map.of()).values()) {
            if (fastest == null
                || median(same, BenchRow::microseconds) < median(fastest, BenchRow::microseconds)) {
                fastest = same;
            }
        }
        return fastest;
    }

    private static double least(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
    }

    private static double median(List<BenchRow> same, ToDoubleFunction<BenchRow> time) {
        return samples(same, time).median();
    }

    private static Samples samples(List<BenchRow> same, ToDoubleFunction<BenchRow> time) {
        return Samples.of(same.stream().mapToDouble(time).filter(value -> !Double.isNaN(value)).toArray());
    }
}

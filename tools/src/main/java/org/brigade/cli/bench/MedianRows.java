package org.brigade.cli.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Collects the same measurements from several runs and returns their medians. If a program has several variants, the
 * fastest at each size counts.
 */
final class MedianRows {
    /** By operation and bytes, then by variant. */
    private final Map<String, Map<String, List<BenchRow>>> runs = new LinkedHashMap<>();

    synchronized void add(BenchRow row) {
        runs.computeIfAbsent(row.key(), key -> new LinkedHashMap<>())
            .computeIfAbsent(row.algorithm(), variant -> new ArrayList<>()).add(row);
    }

    /** One row for each measurement, in the order in which they first came. */
    synchronized List<BenchRow> rows() {
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
    synchronized BenchRow best(String key) {
        Map<String, List<BenchRow>> variants = runs.get(key);
        if (variants == null) {
            return null;
        }
        BenchRow best = null;
        double stream = Double.NaN;
        double graph = Double.NaN;
        for (List<BenchRow> same : variants.values()) {
            BenchRow first = same.get(0);
            double time = median(same, BenchRow::microseconds);
            if (best == null || time < best.microseconds()) {
                best = new BenchRow(first.operation(), first.ranks(), first.bytes(), first.algorithm(), time);
            }
            stream = least(stream, median(same, BenchRow::stream));
            graph = least(graph, median(same, BenchRow::graph));
        }
        return new BenchRow(best.operation(), best.ranks(), best.bytes(), best.algorithm(), best.microseconds(), stream,
            graph);
    }

    private static double least(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.min(a, b);
    }

    private static double median(List<BenchRow> same, ToDoubleFunction<BenchRow> time) {
        List<Double> times = new ArrayList<>();
        for (BenchRow row : same) {
            double value = time.applyAsDouble(row);
            if (!Double.isNaN(value)) {
                times.add(value);
            }
        }
        if (times.isEmpty()) {
            return Double.NaN;
        }
        Collections.sort(times);
        int middle = times.size() / 2;
        return times.size() % 2 == 1 ? times.get(middle) : (times.get(middle - 1) + times.get(middle)) / 2;
    }
}

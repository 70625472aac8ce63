package org.brigade.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The same measurements from several runs, to be read as their medians. */
final class MedianRows {
    private final Map<String, List<BenchRow>> runs = new LinkedHashMap<>();

    synchronized void add(BenchRow row) {
        runs.computeIfAbsent(row.key(), key -> new ArrayList<>()).add(row);
    }

    /** One row for each measurement, in the order they first came. */
    synchronized List<BenchRow> rows() {
        List<BenchRow> rows = new ArrayList<>();
        for (List<BenchRow> same : runs.values()) {
            BenchRow first = same.get(0);
            rows.add(new BenchRow(first.operation(), first.ranks(), first.bytes(), first.algorithm(), median(same)));
        }
        return rows;
    }

    /** Median time of a measurement; NaN if there is none. */
    synchronized double microseconds(String key) {
        List<BenchRow> same = runs.get(key);
        return same == null ? Double.NaN : median(same);
    }

    private static double median(List<BenchRow> same) {
        List<Double> times = new ArrayList<>();
        for (BenchRow row : same) {
            times.add(row.microseconds());
        }
        Collections.sort(times);
        int middle = times.size() / 2;
        return times.size() % 2 == 1 ? times.get(middle) : (times.get(middle - 1) + times.get(middle)) / 2;
    }
}

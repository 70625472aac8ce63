package org.brigade.cli.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.PicturePage;
import org.brigade.picture.BarChart;
import org.brigade.picture.LineChart;
import org.brigade.picture.Picture;

/**
 * Draws figures 5.2 to 5.6 of Cubedo (2021) on one page, from measurements of {@code bench --metrics nccl}: bandwidths
 * and time of allreduce against size, and average bandwidths of all collectives. It adds the processor time, which the
 * thesis could not measure. SISCI and sockets differ by a factor of more than ten, so axes are logarithmic.
 */
final class BusFigures {
    /** One side of one job: {@code SISCI, 2 nodes x 1}. */
    private final Map<String, List<BusRow>> sides = new LinkedHashMap<>();

    private BusFigures(List<BusTable.Line> lines) {
        for (BusTable.Line line : lines) {
            String job = ", " + line.nodes() + " x " + line.ours().ranks() / Math.max(1, line.nodes());
            sides.computeIfAbsent("SISCI" + job, side -> new ArrayList<>()).add(line.ours());
            if (line.peer() != null) {
                sides.computeIfAbsent("sockets" + job, side -> new ArrayList<>()).add(line.peer());
            }
        }
    }

    /** @throws BenchException if the page cannot be written, or there is no allreduce among the lines */
    static void write(List<BusTable.Line> lines, Path page) {
        BusFigures figures = new BusFigures(lines);
        List<Picture> pictures = List.of(
            figures.overSizes("Figure 5.2: allreduce, algorithm bandwidth", "bytes/s",
                row -> row.algorithmBandwidth() * 1e9),
            figures.overSizes("Figure 5.3: allreduce, bus bandwidth", "bytes/s", row -> row.busBandwidth() * 1e9),
            figures.overSizes("Figure 5.4: allreduce, time", "us", BusRow::microseconds),
            figures.overSizes("Allreduce, processor time of a rank and call", "us",
                row -> Math.max(0.1, row.cpu() * row.microseconds())),
            figures.averages("Figure 5.5: average algorithm bandwidth over all sizes", BusRow::algorithmBandwidth),
            figures.averages("Figure 5.6: average bus bandwidth over all sizes", BusRow::busBandwidth));
        PicturePage.write(pictures, page);
    }

    private Picture overSizes(String title, String unit, ToDoubleFunction<BusRow> figure) {
        LineChart chart = new LineChart(title, "bytes", true, unit, true);
        boolean any = false;
        for (Map.Entry<String, List<BusRow>> side : sides.entrySet()) {
            List<BusRow> rows = side.getValue().stream().filter(row -> row.operation() == BusOperation.ALLREDUCE)
                .sorted((a, b) -> Long.compare(a.bytes(), b.bytes())).toList();
            if (!rows.isEmpty()) {
                any = true;
                chart.curve(side.getKey(), rows.stream().mapToDouble(BusRow::bytes).toArray(),
                    rows.stream().mapToDouble(figure).toArray());
            }
        }
        if (!any) {
            throw new BenchException(
                "--picture: no allreduce was measured; give --ops allreduce, or all by leaving it out");
        }
        return chart;
    }

    private Picture averages(String title, ToDoubleFunction<BusRow> figure) {
        BusOperation[] operations = BusOperation.COLLECTIVES;
        String[] names = new String[operations.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = operations[i].key();
        }
        BarChart chart = new BarChart(title, "bytes/s", names);
        for (Map.Entry<String, List<BusRow>> side : sides.entrySet()) {
            double[] values = new double[operations.length];
            for (int i = 0; i < values.length; i++) {
                BusOperation operation = operations[i];
                values[i] = 1e9 * side.getValue().stream().filter(row -> row.operation() == operation)
                    .mapToDouble(figure).average().orElse(Double.NaN);
            }
            chart.series(side.getKey(), values);
        }
        return chart;
    }
}

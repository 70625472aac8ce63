package org.brigade.cli.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.brigade.cli.shared.BenchException;
import org.brigade.picture.BarChart;
import org.brigade.picture.LineChart;
import org.brigade.picture.Picture;
import org.brigade.picture.Svg;

/**
 * Figures 5.2 to 5.6 of Cubedo (2021) from what {@code bench --metrics nccl} has measured, as one page: bandwidths and
 * time of allreduce against size, average bandwidths of all collectives; and what the thesis could not measure, the
 * processors' time. SISCI and sockets differ by more than ten, so axes are logarithmic.
 */
final class BusFigures {
    private static final double WIDTH = 560;
    private static final double HEIGHT = 340;
    private static final double MARGIN = 20;

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
        int rows = (pictures.size() + 1) / 2;
        Svg svg = new Svg(2 * WIDTH + 3 * MARGIN, rows * (HEIGHT + MARGIN) + MARGIN);
        for (int i = 0; i < pictures.size(); i++) {
            svg.move(MARGIN + i % 2 * (WIDTH + MARGIN), MARGIN + i / 2 * (HEIGHT + MARGIN));
            pictures.get(i).draw(svg, WIDTH, HEIGHT);
            svg.end();
        }
        try {
            Files.writeString(page, svg.toString(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new BenchException("--picture: " + page + " cannot be written (" + e
                + "); name a file in a directory that you may write to");
        }
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

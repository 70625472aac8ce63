package org.brigade.cli.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.brigade.cli.bench.versus.CallSpan;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.picture.LineChart;
import org.brigade.picture.Picture;
import org.brigade.picture.Svg;

/** The curves of a report: for each operation, time and bandwidth against size. */
final class ReportCharts {
    private static final double WIDTH = 560;
    private static final double HEIGHT = 340;
    private static final double MARGIN = 20;
    private static final double LINE = 18;

    private ReportCharts() {
    }

    /** The two pictures of an operation, or one of cold calls; none if it has fewer than two sizes or spans. */
    static List<Picture> of(BenchReport report, String operation, List<MeasuredRow> rows) {
        if (report.isCold()) {
            return cold(report, operation, rows);
        }
        List<MeasuredRow> sized = rows.stream().filter(row -> row.row().bytes() > 0)
            .sorted((a, b) -> Long.compare(a.row().bytes(), b.row().bytes())).toList();
        if (sized.size() < 2) {
            return List.of();
        }
        LineChart time = new LineChart(operation + ": time", "bytes", true, "microseconds", true).binary();
        LineChart rate = new LineChart(operation + ": bytes divided by time", "bytes", true, "GB/s", true).binary();
        curves(report, sized, time, rate);
        return List.of(time, rate);
    }

    /** Time against call number. */
    private static List<Picture> cold(BenchReport report, String operation, List<MeasuredRow> rows) {
        List<MeasuredRow> spans = rows.stream().filter(row -> CallSpan.middle(row.row().calls()) > 0).toList();
        if (spans.size() < 2) {
            return List.of();
        }
        LineChart time = new LineChart(operation + ": time", "call number", true, "microseconds", true);
        times(BenchReport.OURS, spans, row -> row.row().microseconds(), time);
        for (String peer : report.peers()) {
            times(peer, spans, row -> row.of(peer) == null ? Double.NaN : row.of(peer).microseconds(), time);
        }
        return List.of(time);
    }

    private static void times(String name, List<MeasuredRow> spans, ToDoubleFunction<MeasuredRow> time,
        LineChart chart) {
        List<MeasuredRow> known = spans.stream().filter(row -> time.applyAsDouble(row) > 0).toList();
        if (!known.isEmpty()) {
            chart.curve(name, known.stream().mapToDouble(row -> CallSpan.middle(row.row().calls())).toArray(),
                known.stream().mapToDouble(time).toArray());
        }
    }

    private static void curves(BenchReport report, List<MeasuredRow> rows, LineChart time, LineChart rate) {
        curve(BenchReport.OURS, rows, row -> row.row().microseconds(), false, time, rate);
        for (String peer : report.peers()) {
            curve(peer, rows, row -> row.of(peer) == null ? Double.NaN : row.of(peer).microseconds(), false, time,
                rate);
        }
        curve(BenchReport.LIMIT, rows, report::limit, true, time, rate);
    }

    private static void curve(String name, List<MeasuredRow> rows, ToDoubleFunction<MeasuredRow> time, boolean limit,
        LineChart times, LineChart rates) {
        List<MeasuredRow> known = rows.stream().filter(row -> time.applyAsDouble(row) > 0).toList();
        if (known.isEmpty()) {
            return;
        }
        double[] bytes = known.stream().mapToDouble(row -> row.row().bytes()).toArray();
        double[] micros = known.stream().mapToDouble(time).toArray();
        double[] rate = new double[micros.length];
        for (int i = 0; i < rate.length; i++) {
            rate[i] = bytes[i] / micros[i] / 1000;
        }
        if (limit) {
            times.limit(name, bytes, micros);
            rates.limit(name, bytes, rate);
        } else {
            times.curve(name, bytes, micros);
            rates.curve(name, bytes, rate);
        }
    }

    /** A chart as an element of a page. */
    static String svg(Picture picture) {
        Svg svg = new Svg(WIDTH, HEIGHT);
        picture.draw(svg, WIDTH, HEIGHT);
        return svg.element();
    }

    /** All curves on one picture, with the machine and the versions below. */
    static String page(BenchReport report) {
        List<Picture> pictures = new ArrayList<>();
        report.operations().forEach((operation, rows) -> pictures.addAll(of(report, operation, rows)));
        List<String> notes = new ArrayList<>();
        report.facts().forEach((name, value) -> notes.add(name + ": " + value));
        report.versions().forEach((name, value) -> notes.add(name + ": " + value));
        notes.add(report.date() + "; " + report.runs() + " runs of each side in turn, medians"
            + (report.fresh() ? "; fresh buffers" : "") + "; " + report.command());
        double width = 2 * WIDTH + 3 * MARGIN;
        double top = (pictures.size() + 1) / 2 * (HEIGHT + MARGIN) + MARGIN;
        Svg svg = new Svg(width, top + notes.size() * LINE + MARGIN).title("brigade bench");
        for (int i = 0; i < pictures.size(); i++) {
            svg.move(MARGIN + i % 2 * (WIDTH + MARGIN), MARGIN + i / 2 * (HEIGHT + MARGIN));
            pictures.get(i).draw(svg, WIDTH, HEIGHT);
            svg.end();
        }
        for (int i = 0; i < notes.size(); i++) {
            svg.text(MARGIN, top + (i + 1) * LINE, 11, Svg.Anchor.START, "#444",
                Svg.fitting(notes.get(i), 11, width - 2 * MARGIN));
        }
        return svg.toString();
    }
}

package org.brigade.trace;

import java.util.List;
import java.util.Locale;
import org.brigade.picture.Svg;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * A traced job as a picture: a row for each rank, with its own work, its calls and, in those, its waits; the critical
 * path; and below it one call of the collective that took the most time, beside the simulator's timeline of the same
 * schedule.
 */
public final class TracePicture {
    private static final double WIDTH = 1100;
    private static final double LEFT = 90;
    static final double ROW = 22;
    private static final double TOP = 60;
    private static final String WORK = "#dfe7dc";
    static final String CALL = "#7aa6d6";
    private static final String WAIT = "#d55e00";
    private static final String PATH = "#000";
    static final String FREE = "#f4f4f4";
    static final int MOST_ROWS = 64;

    private final JobTrace trace;
    private final CallForecast forecast;
    private final String topology;
    private final Svg svg = new Svg();

    private TracePicture(JobTrace trace, String topology, RoutingModel wiring) {
        this.trace = trace;
        this.topology = topology;
        forecast = new CallForecast(trace, wiring);
    }

    /** An SVG document. */
    public static String draw(JobTrace trace, String topology, RoutingModel wiring) {
        return new TracePicture(trace, topology, wiring).draw();
    }

    private String draw() {
        List<RankTrace> ranks = trace.ranks().subList(0, Math.min(MOST_ROWS, trace.ranks().size()));
        svg.title("Trace of job " + trace.job());
        svg.bold(16, 22, 14, Svg.Anchor.START, "#000", trace.size() + " ranks, " + TraceReport.time(trace.nanos()));
        legend();
        double scale = (WIDTH - LEFT - 16) / Math.max(1, trace.nanos());
        for (int row = 0; row < ranks.size(); row++) {
            rank(ranks.get(row), TOP + ROW * row, scale);
        }
        for (CriticalPath.Stretch stretch : new CriticalPath(trace).stretches()) {
            for (int row = 0; row < ranks.size(); row++) {
                if (ranks.get(row).rank() == stretch.rank()) {
                    double y = TOP + ROW * row + ROW - 3;
                    svg.line(LEFT + stretch.start() * scale, y, LEFT + stretch.end() * scale, y, PATH, 2);
                }
            }
        }
        double bottom = TOP + ROW * ranks.size();
        axis(LEFT, bottom, WIDTH - LEFT - 16, trace.nanos());
        List<TracedCalls> calls = TracedCalls.of(trace);
        if (!calls.isEmpty()) {
            bottom = beside(calls.get(0), bottom + 60);
        }
        return svg.size(WIDTH, bottom + 40).toString();
    }

    private void legend() {
        String[] words = {"own work", "in a call", "waiting for another rank", "critical path"};
        String[] colours = {WORK, CALL, WAIT, PATH};
        double x = LEFT;
        for (int i = 0; i < words.length; i++) {
            svg.rectangle(x, 34, 12, i == 3 ? 2 : 12, colours[i], "none");
            svg.text(x + 17, 44, 11, Svg.Anchor.START, "#444", words[i]);
            x += 40 + Svg.widthOf(words[i], 11);
        }
    }

    /** Spans so narrow that they would share a pixel are drawn as one of the pixel's share. */
    private void rank(RankTrace rank, double y, double scale) {
        svg.text(LEFT - 8, y + 14, 11, Svg.Anchor.END, "#000", "rank " + rank.rank());
        svg.rectangle(LEFT + rank.start() * scale, y + 2, Math.max(0.5, rank.nanos() * scale), ROW - 7, WORK, "none");
        Shares calls = new Shares(scale);
        for (TracedSpan span : rank.spans()) {
            if (span.isCall()) {
                calls.add(span.start(), span.end());
            }
        }
        calls.draw(y + 2, CALL);
        Shares waits = new Shares(scale);
        for (PeerWait wait : trace.waits()) {
            if (wait.rank() == rank.rank()) {
                waits.add(wait.start(), wait.end());
            }
        }
        waits.draw(y + 2, WAIT);
    }

    /** How much of each pixel of a row is covered; height stands for the share. */
    private final class Shares {
        private final double scale;
        private final double[] covered = new double[(int) (WIDTH - LEFT - 16) + 1];

        Shares(double scale) {
            this.scale = scale;
        }

        void add(long start, long end) {
            double from = Math.max(0, start * scale);
            double to = Math.min(covered.length, end * scale);
            for (int pixel = (int) from; pixel < to && pixel < covered.length; pixel++) {
                covered[pixel] = Math.min(1,
                    covered[pixel] + Math.min(to, pixel + 1) - Math.max(from, pixel));
            }
        }

        void draw(double y, String colour) {
            int from = 0;
            for (int pixel = 1; pixel <= covered.length; pixel++) {
                int level = (int) Math.ceil(covered[from] * 8 - 1e-9);
                if (pixel == covered.length || (int) Math.ceil(covered[pixel] * 8 - 1e-9) != level) {
                    double height = (ROW - 7) * level / 8;
                    if (level > 0) {
                        svg.rectangle(LEFT + from, y + ROW - 7 - height, pixel - from, height, colour, "none");
                    }
                    from = pixel;
                }
            }
        }
    }

    /** One measured call beside the simulated one; the same scale if that shows something of both. */
    private double beside(TracedCalls calls, double top) {
        long[] call = calls.medianCall();
        double half = (WIDTH - LEFT - 48) / 2;
        double simulated = forecast.simulatedNanos(calls.shape, null);
        svg.bold(16, top, 13, Svg.Anchor.START, "#000", calls.shape.collective() + ", " + calls.shape.ranks()
            + " ranks, " + calls.shape.bytes() + " bytes, " + calls.shape.algorithm());
        svg.text(LEFT, top + 20, 11, Svg.Anchor.START, "#444", "measured: the median call, "
            + TraceReport.time(call[3] - call[2]) + " from the first entry");
        double scale = half / Math.max(1, call[3] - call[2]);
        int row = 0;
        for (RankTrace rank : trace.ranks()) {
            double y = top + 28 + ROW * row;
            boolean takesPart = false;
            for (TracedSpan span : rank.spans()) {
                boolean its = span.context() == (int) call[0] && span.number() == call[1];
                if (its && span.kind() == TracedSpan.Kind.COLLECTIVE) {
                    takesPart = true;
                    svg.rectangle(LEFT, y + 2, half, ROW - 5, FREE, "none");
                    svg.rectangle(LEFT + (span.start() - call[2]) * scale, y + 2,
                        Math.max(0.5, span.nanos() * scale), ROW - 5, CALL, "none");
                }
            }
            for (TracedSpan span : rank.spans()) {
                boolean its = span.context() == (int) call[0] && span.number() == call[1];
                if (its && span.kind() == TracedSpan.Kind.STAGE) {
                    svg.rectangle(LEFT + (span.start() - call[2]) * scale, y + 4,
                        Math.max(0.5, Math.min(span.waited(), span.nanos()) * scale), ROW - 9, WAIT, "none",
                        "waits for rank " + span.peer());
                }
            }
            if (takesPart) {
                svg.text(LEFT - 8, y + 14, 11, Svg.Anchor.END, "#000", "rank " + rank.rank());
                row++;
            }
        }
        axis(LEFT, top + 28 + ROW * row, half, call[3] - call[2]);
        double right = LEFT + half + 32;
        svg.text(right, top + 20, 11, Svg.Anchor.START, "#444", Double.isNaN(simulated)
            ? "the simulator cannot run it on " + topology
            : "simulated on " + topology + ": " + TraceReport.time(simulated)
                + "; a row for each rank, or each way of its wire");
        if (Double.isNaN(simulated)) {
            return top + 28 + ROW * row;
        }
        SimulatedHalf picture = new SimulatedHalf(svg, forecast.wiring(), right, top + 28, half, simulated);
        forecast.simulatedNanos(calls.shape, picture);
        double low = Math.max(top + 28 + ROW * row, picture.draw(ROW * row));
        axis(right, low, half, simulated);
        return low;
    }

    private void axis(double x, double y, double width, double nanos) {
        for (int tick = 0; tick <= 4; tick++) {
            double at = x + width * tick / 4;
            svg.line(at, y, at, y + 4, "#888", 1);
            svg.text(at, y + 16, 10, tick == 0 ? Svg.Anchor.START : tick == 4 ? Svg.Anchor.END : Svg.Anchor.MIDDLE,
                "#444", tick == 0 ? "0" : String.format(Locale.ROOT, "%s", TraceReport.time(nanos * tick / 4)));
        }
    }
}

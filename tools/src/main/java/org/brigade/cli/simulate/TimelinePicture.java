package org.brigade.cli.simulate;

import java.util.Locale;
import org.brigade.picture.Svg;
import org.brigade.simulate.Timeline;
import org.brigade.simulate.wiring.RoutingModel;

/** Which link is busy when: a row for each link, time to the right, darker for higher use. */
final class TimelinePicture {
    private static final int SHADES = 16;
    private static final double WIDTH = 1100;
    private static final double ROW = 14;
    private static final double TOP = 44;
    private static final double LETTER = 6;

    private TimelinePicture() {
    }

    /** An SVG document, the same for the same timeline. */
    static String draw(String title, RoutingModel wiring, Timeline timeline, double seconds) {
        int longest = 8;
        for (int row = 0; row < timeline.rows(); row++) {
            longest = Math.max(longest, wiring.name(timeline.resource(row)).length());
        }
        double left = 16 + LETTER * longest;
        double bottom = TOP + ROW * timeline.rows();
        Svg svg = new Svg(WIDTH, bottom + 60);
        svg.text(16, 20, 13, Svg.Anchor.START, "#000", title);
        svg.text(WIDTH - 16, 20, 11, Svg.Anchor.END, "#444",
            timeline.rows() + (timeline.rows() == 1 ? " resource" : " busiest resources"));
        double perSecond = (WIDTH - 16 - left) / Math.max(seconds, 1e-12);
        for (int row = 0; row < timeline.rows(); row++) {
            double y = TOP + ROW * row;
            svg.text(left - 6, y + 10, 10, Svg.Anchor.END, "#000", wiring.name(timeline.resource(row)));
            svg.rectangle(left, y + 1, WIDTH - 16 - left, ROW - 2, "#f4f4f4", "none");
            bars(svg, timeline, row, left, y, perSecond);
        }
        axis(svg, left, bottom, seconds, perSecond);
        legend(svg, left, bottom + 38);
        return svg.toString();
    }

    private static void bars(Svg svg, Timeline timeline, int row, double left, double y, double perSecond) {
        double width = timeline.stretchSeconds() * perSecond;
        int from = 0;
        for (int at = 1; at <= timeline.stretches(); at++) {
            int shade = level(timeline.share(row, from));
            if (at == timeline.stretches() || level(timeline.share(row, at)) != shade) {
                if (shade > 0) {
                    double x = left + from * width;
                    svg.rectangle(x, y + 1, Math.min((at - from) * width, WIDTH - 16 - x), ROW - 2, colour(shade),
                        "none");
                }
                from = at;
            }
        }
    }

    /** 0: unused. */
    private static int level(double share) {
        return share <= 0 ? 0 : Math.max(1, Math.min(SHADES, (int) Math.ceil(share * SHADES - 1e-6)));
    }

    private static String colour(int level) {
        double share = (double) level / SHADES;
        return String.format(Locale.ROOT, "#%02x%02x%02x", Math.round(226 - 216 * share), Math.round(236 - 156 * share),
            Math.round(248 - 98 * share));
    }

    private static void axis(Svg svg, double left, double y, double seconds, double perSecond) {
        String unit = seconds >= 1 ? "s" : seconds >= 1e-3 ? "ms" : "us";
        double scale = seconds >= 1 ? 1 : seconds >= 1e-3 ? 1e3 : 1e6;
        double rough = seconds * scale / 8;
        double power = Math.pow(10, Math.floor(Math.log10(rough > 0 ? rough : 1)));
        double step = (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1) * power;
        int decimals = Math.max(0, (int) -Math.floor(Math.log10(step) + 1e-9));
        for (int tick = 0; tick * step <= seconds * scale * (1 + 1e-9); tick++) {
            double x = left + tick * step / scale * perSecond;
            svg.line(x, TOP, x, y + 4, "#bbb", 0.5);
            svg.text(x, y + 16, 10, Svg.Anchor.MIDDLE, "#444",
                String.format(Locale.ROOT, "%." + decimals + "f", tick * step) + (tick == 0 ? " " + unit : ""));
        }
    }

    private static void legend(Svg svg, double left, double y) {
        svg.text(left, y + 10, 10, Svg.Anchor.START, "#444", "share of capacity in use: 0");
        double x = left + 140;
        for (int level = 1; level <= SHADES; level++) {
            svg.rectangle(x + 12 * (level - 1), y, 12, 12, colour(level), "none");
        }
        svg.text(x + 12 * SHADES + 6, y + 10, 10, Svg.Anchor.START, "#444", "100 %");
    }
}

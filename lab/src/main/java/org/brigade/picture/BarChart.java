package org.brigade.picture;

import java.util.ArrayList;
import java.util.List;

/** Groups of bars on a logarithmic axis, each bar with its value above it. */
public final class BarChart implements Picture {
    private static final double LEFT = 66;
    private static final double RIGHT = 16;
    private static final double TOP = 40;
    private static final double BOTTOM = 46;

    private record Series(String name, double[] values) {
    }

    private final String title;
    private final String yName;
    private final String[] groups;
    private final List<Series> all = new ArrayList<>();

    public BarChart(String title, String yName, String... groups) {
        this.title = title;
        this.yName = yName;
        this.groups = groups.clone();
    }

    /** @param values above 0, one for each group; NaN for a missing bar */
    public BarChart series(String name, double... values) {
        if (values.length != groups.length) {
            throw new IllegalArgumentException(
                name + ": " + values.length + " values for " + groups.length + " groups");
        }
        all.add(new Series(name, values.clone()));
        return this;
    }

    @Override
    public void draw(Svg svg, double width, double height) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (Series series : all) {
            for (double value : series.values) {
                least = value > 0 ? Math.min(least, value) : least;
                most = value > most ? value : most;
            }
        }
        int low = most == 0 ? 0 : (int) Math.floor(Math.log10(least) - 1e-9);
        int high = most == 0 ? 1 : Math.max(low + 1, (int) Math.ceil(Math.log10(most) + 0.05));
        double bottom = height - BOTTOM;
        svg.text(LEFT, 16, 13, Svg.Anchor.START, "#000", title);
        for (int decade = low; decade <= high; decade++) {
            double y = bottom - (bottom - TOP) * (decade - low) / (high - low);
            svg.line(LEFT, y, width - RIGHT, y, "#eee", 1);
            svg.text(LEFT - 5, y + 3, 10, Svg.Anchor.END, "#444", LineChart.label(Math.pow(10, decade)));
        }
        double room = (width - LEFT - RIGHT) / groups.length;
        double bar = 0.84 * room / Math.max(1, all.size());
        double legend = LEFT;
        for (int i = 0; i < all.size(); i++) {
            Series series = all.get(i);
            String colour = LineChart.COLOURS[i % LineChart.COLOURS.length];
            for (int group = 0; group < groups.length; group++) {
                double value = series.values[group];
                if (value > 0) {
                    double top = bottom - (bottom - TOP) * (Math.log10(value) - low) / (high - low);
                    double x = LEFT + group * room + 0.08 * room + i * bar;
                    svg.rectangle(x, top, bar - 1, bottom - top, colour, "none",
                        groups[group] + ", " + series.name + ": " + LineChart.label(value));
                    svg.text(x + bar / 2, top - 3, 8, Svg.Anchor.MIDDLE, "#444", LineChart.label(value));
                }
            }
            svg.line(legend, 29, legend + 14, 29, colour, 3);
            svg.text(legend + 18, 33, 11, Svg.Anchor.START, "#000", series.name);
            legend += 34 + 6.2 * series.name.length();
        }
        for (int group = 0; group < groups.length; group++) {
            svg.text(LEFT + (group + 0.5) * room, bottom + 14, 10, Svg.Anchor.MIDDLE, "#444", groups[group]);
        }
        svg.rectangle(LEFT, TOP, width - LEFT - RIGHT, bottom - TOP, "none", "#888");
        svg.upwards(14, (TOP + bottom) / 2, 11, "#000", yName);
    }
}

package org.brigade.picture;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.brigade.select.ByteSize;

/** Curves in one diagram: each axis linear or logarithmic, bands for expected values. */
public final class LineChart implements Picture {
    /** Colours that the colour-blind can tell apart, too. */
    static final String[] COLOURS = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
    private static final String LIMIT = "#777";
    private static final double BINARY = 8;
    private static final double LEFT = 66;
    private static final double RIGHT = 16;
    private static final double TOP = 40;
    private static final double BOTTOM = 46;

    /** A curve: points (x, y), ascending in x. A limit is dashed and has no marks. */
    private record Curve(String name, double[] xs, double[] ys, boolean limit) {
    }

    /** Expected range of values, from one x to another. */
    private record Band(double low, double high, double from, double to) {
    }

    private final String title;
    private final String xName;
    private final String yName;
    private final boolean logX;
    private final boolean logY;
    private final List<Curve> curves = new ArrayList<>();
    private final List<Band> bands = new ArrayList<>();
    private boolean binary;

    public LineChart(String title, String xName, boolean logX, String yName, boolean logY) {
        this.title = title;
        this.xName = xName;
        this.yName = yName;
        this.logX = logX;
        this.logY = logY;
    }

    /** Marks x at powers of 8, as bytes: 32K. The axis ends with the curves. */
    public LineChart binary() {
        binary = true;
        return this;
    }

    public LineChart curve(String name, double[] xs, double[] ys) {
        return add(name, xs, ys, false);
    }

    /** A dashed curve, for what nothing can pass. */
    public LineChart limit(String name, double[] xs, double[] ys) {
        return add(name, xs, ys, true);
    }

    private LineChart add(String name, double[] xs, double[] ys, boolean limit) {
        if (xs.length != ys.length || xs.length == 0) {
            throw new IllegalArgumentException(name + ": " + xs.length + " x for " + ys.length + " y");
        }
        curves.add(new Curve(name, xs.clone(), ys.clone(), limit));
        return this;
    }

    /** Marks the expected range between two x. */
    public LineChart band(double low, double high, double from, double to) {
        bands.add(new Band(low, high, from, to));
        return this;
    }

    @Override
    public void draw(Svg svg, double width, double height) {
        Axis x = new Axis(logX, binary ? BINARY : 10, LEFT, width - RIGHT);
        Axis y = new Axis(logY, 10, height - BOTTOM, TOP);
        for (Curve curve : curves) {
            x.cover(curve.xs);
            y.cover(curve.ys);
        }
        for (Band band : bands) {
            y.cover(new double[] {band.low, band.high});
        }
        svg.text(LEFT, 16, 13, Svg.Anchor.START, "#000", title);
        for (Band band : bands) {
            svg.rectangle(x.at(band.from), y.at(band.high), x.at(band.to) - x.at(band.from),
                y.at(band.low) - y.at(band.high), "#e8e8e8", "none", "expected");
        }
        for (double tick : x.ticks()) {
            svg.line(x.at(tick), TOP, x.at(tick), height - BOTTOM, "#eee", 1);
            svg.text(x.at(tick), height - BOTTOM + 14, 10, Svg.Anchor.MIDDLE, "#444",
                binary ? ByteSize.compact(Math.round(tick)) : label(tick));
        }
        for (double tick : y.ticks()) {
            svg.line(LEFT, y.at(tick), width - RIGHT, y.at(tick), "#eee", 1);
            svg.text(LEFT - 5, y.at(tick) + 3, 10, Svg.Anchor.END, "#444", label(tick));
        }
        svg.rectangle(LEFT, TOP, width - LEFT - RIGHT, height - TOP - BOTTOM, "none", "#888");
        svg.text((LEFT + width - RIGHT) / 2, height - 12, 11, Svg.Anchor.MIDDLE, "#000", xName);
        svg.upwards(14, (TOP + height - BOTTOM) / 2, 11, "#000", yName);
        double legend = LEFT;
        for (int i = 0; i < curves.size(); i++) {
            Curve curve = curves.get(i);
            String colour = curve.limit ? LIMIT : COLOURS[i % COLOURS.length];
            double[] points = new double[2 * curve.xs.length];
            for (int j = 0; j < curve.xs.length; j++) {
                points[2 * j] = x.at(curve.xs[j]);
                points[2 * j + 1] = y.at(curve.ys[j]);
            }
            if (curve.limit) {
                svg.dashes(points, colour, 1.4);
            } else {
                svg.polyline(points, colour, 1.8);
            }
            for (int j = 0; !curve.limit && j < points.length; j += 2) {
                svg.circle(points[j], points[j + 1], 2.2, colour);
            }
            if (curve.limit) {
                svg.dashes(new double[] {legend, 29, legend + 14, 29}, colour, 1.4);
            } else {
                svg.line(legend, 29, legend + 14, 29, colour, 3);
            }
            svg.text(legend + 18, 33, 11, Svg.Anchor.START, "#000", curve.name);
            legend += 34 + 6.2 * curve.name.length();
        }
    }

    /** Maps values to pixels. */
    private static final class Axis {
        private final boolean logarithmic;
        private final double base;
        private final double first;
        private final double last;
        private double least = Double.POSITIVE_INFINITY;
        private double most = Double.NEGATIVE_INFINITY;

        Axis(boolean logarithmic, double base, double first, double last) {
            this.logarithmic = logarithmic;
            this.base = base;
            this.first = first;
            this.last = last;
        }

        void cover(double[] values) {
            for (double value : values) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
            if (!logarithmic) {
                least = Math.min(least, 0);
            }
        }

        private double low() {
            return logarithmic && base != BINARY ? Math.pow(base, Math.floor(exponent(least) + 1e-9)) : least;
        }

        private double high() {
            if (base == BINARY) {
                return most > least ? most : base * least;
            }
            if (logarithmic) {
                double high = Math.pow(base, Math.ceil(exponent(most) - 1e-9));
                return high > low() ? high : base * low();
            }
            double step = step();
            return Math.ceil(most / step - 1e-9) * step;
        }

        private double exponent(double value) {
            return Math.log10(value) / Math.log10(base);
        }

        private double step() {
            double rough = (most - least) / 5;
            double power = Math.pow(10, Math.floor(Math.log10(rough > 0 ? rough : 1)));
            double factor = rough / power;
            return (factor > 5 ? 10 : factor > 2 ? 5 : factor > 1 ? 2 : 1) * power;
        }

        double at(double value) {
            double share =
                logarithmic ? Math.log(value / low()) / Math.log(high() / low()) : (value - low()) / (high() - low());
            return first + share * (last - first);
        }

        double[] ticks() {
            List<Double> ticks = new ArrayList<>();
            double step = logarithmic ? base : step();
            double first = base == BINARY ? Math.pow(base, Math.ceil(exponent(low()) - 1e-9)) : low();
            for (double tick = first; tick <= high() * (1 + 1e-9); tick = logarithmic ? tick * step : tick + step) {
                ticks.add(tick);
            }
            return ticks.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    /** 1500000 as 1.5M. */
    static String label(double value) {
        double absolute = Math.abs(value);
        String[] units = {"", "k", "M", "G", "T"};
        int unit = 0;
        while (absolute >= 1000 && unit < units.length - 1) {
            absolute /= 1000;
            unit++;
        }
        String number = new BigDecimal(absolute).round(new MathContext(3)).stripTrailingZeros().toPlainString();
        return (value < 0 ? "-" : "") + number + units[unit];
    }
}

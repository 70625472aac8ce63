package org.brigade.picture;

import java.util.Locale;
import org.brigade.topology.xml.XmlWriter;

/**
 * Writes an SVG: shapes in absolute coordinates (pixels, y downwards), one a line. The same calls give the same text on
 * every machine. Texts are escaped; colours and style names are not.
 */
public final class Svg {
    /** Average width of a character, for each unit of its size. */
    private static final double ASPECT = 0.56;

    private static final String DARK = "<style>@media (prefers-color-scheme: dark) "
        + "{ svg { filter: invert(0.92) hue-rotate(180deg); } }</style>\n";

    private final StringBuilder text = new StringBuilder();
    private double width;
    private double height;
    private String title = "";

    /** A document whose size {@link #size} sets at the end. */
    public Svg() {
    }

    public Svg(double width, double height) {
        size(width, height);
    }

    public Svg size(double newWidth, double newHeight) {
        width = newWidth;
        height = newHeight;
        return this;
    }

    /** Sets the document's title. */
    public Svg title(String words) {
        title = words;
        return this;
    }

    /** The approximate width of a text. */
    public static double widthOf(String words, double size) {
        return words.length() * size * ASPECT;
    }

    /** As much of a text as fits. */
    public static String fitting(String words, double size, double room) {
        int most = (int) (room / (size * ASPECT));
        return words.length() <= most ? words : words.substring(0, Math.max(0, most - 1)) + "\u2026";
    }

    /** The position of a text relative to its point. */
    public enum Anchor { START, MIDDLE, END }

    public Svg rectangle(double x, double y, double width, double height, String fill, String stroke) {
        return rectangle(x, y, width, height, fill, stroke, "");
    }

    /** A rectangle that shows a text, if there is one, when pointed at. */
    public Svg rectangle(double x, double y, double width, double height, String fill, String stroke, String title) {
        return shape(x, y, width, height, fill, stroke, "", title);
    }

    /** A rectangle with round corners that shows a text, if there is one, when pointed at. */
    public Svg box(double x, double y, double width, double height, String fill, String stroke, String title) {
        return shape(x, y, width, height, fill, stroke, " rx='4'", title);
    }

    /** A dashed outline with round corners. */
    public Svg dashed(double x, double y, double width, double height, String stroke) {
        return shape(x, y, width, height, "none", stroke, " rx='4' stroke-dasharray='5 4'", "");
    }

    private Svg shape(double x, double y, double width, double height, String fill, String stroke, String more,
        String title) {
        return line("<rect " + at(x, y) + " width='" + number(width) + "' height='" + number(height) + "'" + more
            + " fill='" + fill + "' stroke='" + stroke + "'"
            + (title.isEmpty() ? "/>" : "><title>" + XmlWriter.escaped(title) + "</title></rect>"));
    }

    public Svg line(double x1, double y1, double x2, double y2, String stroke, double thickness) {
        return line("<line x1='" + number(x1) + "' y1='" + number(y1) + "' x2='" + number(x2) + "' y2='" + number(y2)
            + "' stroke='" + stroke
            + "' stroke-width='" + number(thickness) + "'/>");
    }

    public Svg circle(double x, double y, double radius, String fill) {
        return line(
            "<circle cx='" + number(x) + "' cy='" + number(y) + "' r='" + number(radius) + "' fill='" + fill + "'/>");
    }

    /** A line through points given as x, y, x, y, ... */
    public Svg polyline(double[] points, String stroke, double thickness) {
        return polyline(points, stroke, thickness, "");
    }

    /** The same, dashed. */
    public Svg dashes(double[] points, String stroke, double thickness) {
        return polyline(points, stroke, thickness, " stroke-dasharray='5 4'");
    }

    private Svg polyline(double[] points, String stroke, double thickness, String more) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < points.length; i += 2) {
            list.append(i == 0 ? "" : " ").append(number(points[i])).append(',').append(number(points[i + 1]));
        }
        return line("<polyline points='" + list + "' fill='none' stroke='" + stroke + "' stroke-width='"
            + number(thickness) + "'" + more + "/>");
    }

    public Svg text(double x, double y, double size, Anchor anchor, String fill, String words) {
        return words(at(x, y), size, anchor, fill, "", words);
    }

    public Svg bold(double x, double y, double size, Anchor anchor, String fill, String words) {
        return words(at(x, y), size, anchor, fill, " font-weight='bold'", words);
    }

    /** A text around a point on white ground, for places where lines cross. */
    public Svg label(double x, double y, double size, String fill, String words) {
        return words(at(x, y), size, Anchor.MIDDLE, fill, " stroke='white' stroke-width='3' paint-order='stroke'",
            words);
    }

    /** A text that reads upwards. */
    public Svg upwards(double x, double y, double size, String fill, String words) {
        return words("transform='translate(" + number(x) + "," + number(y) + ") rotate(-90)'", size, Anchor.MIDDLE,
            fill, "", words);
    }

    private static String at(double x, double y) {
        return "x='" + number(x) + "' y='" + number(y) + "'";
    }

    private Svg words(String place, double size, Anchor anchor, String fill, String more, String words) {
        return line("<text " + place + " font-size='" + number(size) + "' text-anchor='"
            + anchor.name().toLowerCase(Locale.ROOT) + "' fill='" + fill + "'" + more + ">" + XmlWriter.escaped(words)
            + "</text>");
    }

    /** Moves everything that follows, until {@link #end}. */
    public Svg move(double x, double y) {
        return line("<g transform='translate(" + number(x) + "," + number(y) + ")'>");
    }

    public Svg end() {
        return line("</g>");
    }

    /** The whole document. Where the reader has chosen dark colours, light and dark change places, and hues stay. */
    @Override
    public String toString() {
        return element(DARK);
    }

    /** The picture as an element of a page, which has rules of its own for dark colours. */
    public String element() {
        return element("");
    }

    private String element(String style) {
        return "<svg xmlns='http://www.w3.org/2000/svg' width='" + number(width) + "' height='" + number(height)
            + "' viewBox='0 0 " + number(width) + ' '
            + number(height) + "' font-family='sans-serif'>\n"
            + (title.isEmpty() ? "" : "<title>" + XmlWriter.escaped(title) + "</title>\n")
            + style + "<rect width='100%' height='100%' fill='white'/>\n" + text + "</svg>\n";
    }

    private Svg line(String element) {
        text.append(element).append('\n');
        return this;
    }

    /** At most two decimals, without trailing zeros. */
    static String number(double value) {
        long hundredths = Math.round(value * 100);
        String sign = hundredths < 0 ? "-" : "";
        long absolute = Math.abs(hundredths);
        long rest = absolute % 100;
        return sign + absolute / 100
            + (rest == 0 ? "" : rest % 10 == 0 ? "." + rest / 10 : rest < 10 ? ".0" + rest : "." + rest);
    }
}

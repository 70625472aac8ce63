package org.brigade.picture;

import java.util.Locale;

/**
 * Writes an SVG: shapes in absolute coordinates (pixels, y downwards), one a line. The same calls give the same text on
 * every machine. Texts are escaped; colours and style names are not.
 */
public final class Svg {
    /** Average width of a character, for each unit of its size. */
    private static final double ASPECT = 0.56;

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
        return line("<rect x='" + number(x) + "' y='" + number(y) + "' width='" + number(width) + "' height='"
            + number(height) + "' fill='" + fill
            + "' stroke='" + stroke + "'/>");
    }

    /** A rectangle that shows a text when pointed at. */
    public Svg rectangle(double x, double y, double width, double height, String fill, String stroke, String title) {
        return line("<rect x='" + number(x) + "' y='" + number(y) + "' width='" + number(width) + "' height='"
            + number(height) + "' fill='" + fill
            + "' stroke='" + stroke + "'><title>" + escape(title) + "</title></rect>");
    }

    /** A rectangle with round corners that shows a text, if there is one, when pointed at. */
    public Svg box(double x, double y, double width, double height, String fill, String stroke, String title) {
        return line("<rect x='" + number(x) + "' y='" + number(y) + "' width='" + number(width) + "' height='"
            + number(height) + "' rx='4' fill='" + fill
            + "' stroke='" + stroke + "'" + (title.isEmpty() ? "/>" : "><title>" + escape(title) + "</title></rect>"));
    }

    /** A dashed outline with round corners. */
    public Svg dashed(double x, double y, double width, double height, String stroke) {
        return line("<rect x='" + number(x) + "' y='" + number(y) + "' width='" + number(width) + "' height='"
            + number(height) + "' rx='4' fill='none'"
            + " stroke-dasharray='5 4' stroke='" + stroke + "'/>");
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
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < points.length; i += 2) {
            list.append(i == 0 ? "" : " ").append(number(points[i])).append(',').append(number(points[i + 1]));
        }
        return line("<polyline points='" + list + "' fill='none' stroke='" + stroke + "' stroke-width='"
            + number(thickness) + "'/>");
    }

    public Svg text(double x, double y, double size, Anchor anchor, String fill, String words) {
        return line("<text x='" + number(x) + "' y='" + number(y) + "' font-size='" + number(size) + "' text-anchor='"
            + anchor.name().toLowerCase(Locale.ROOT)
            + "' fill='" + fill + "'>" + escape(words) + "</text>");
    }

    public Svg bold(double x, double y, double size, Anchor anchor, String fill, String words) {
        return line("<text x='" + number(x) + "' y='" + number(y) + "' font-size='" + number(size)
            + "' font-weight='bold' text-anchor='"
            + anchor.name().toLowerCase(Locale.ROOT) + "' fill='" + fill + "'>" + escape(words) + "</text>");
    }

    /** A text around a point on white ground, for places where lines cross. */
    public Svg label(double x, double y, double size, String fill, String words) {
        return line("<text x='" + number(x) + "' y='" + number(y) + "' font-size='" + number(size)
            + "' text-anchor='middle' fill='" + fill
            + "' stroke='white' stroke-width='3' paint-order='stroke'>" + escape(words) + "</text>");
    }

    /** A text that reads upwards. */
    public Svg upwards(double x, double y, double size, String fill, String words) {
        return line("<text transform='translate(" + number(x) + "," + number(y) + ") rotate(-90)' font-size='"
            + number(size) + "' text-anchor='middle' fill='"
            + fill + "'>" + escape(words) + "</text>");
    }

    /** Moves everything that follows, until {@link #end}. */
    public Svg move(double x, double y) {
        return line("<g transform='translate(" + number(x) + "," + number(y) + ")'>");
    }

    public Svg end() {
        return line("</g>");
    }

    /** The whole document. */
    @Override
    public String toString() {
        return "<svg xmlns='http://www.w3.org/2000/svg' width='" + number(width) + "' height='" + number(height)
            + "' viewBox='0 0 " + number(width) + ' '
            + number(height) + "' font-family='sans-serif'>\n"
            + (title.isEmpty() ? "" : "<title>" + escape(title) + "</title>\n")
            + "<rect width='100%' height='100%' fill='white'/>\n" + text + "</svg>\n";
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

    static String escape(String words) {
        StringBuilder escaped = new StringBuilder(words.length() + 8);
        for (int i = 0; i < words.length(); i++) {
            char letter = words.charAt(i);
            switch (letter) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '\'' -> escaped.append("&#39;");
                case '"' -> escaped.append("&quot;");
                default -> escaped
                    .append(letter >= ' ' && letter < '\uFFFE' && !lone(words, i) || letter == '\n' ? letter : '?');
            }
        }
        return escaped.toString();
    }

    /** Whether a character is half of a surrogate pair whose other half is missing. */
    private static boolean lone(String words, int at) {
        char letter = words.charAt(at);
        return Character.isHighSurrogate(letter)
            ? at + 1 == words.length() || !Character.isLowSurrogate(words.charAt(at + 1))
            : Character.isLowSurrogate(letter) && (at == 0 || !Character.isHighSurrogate(words.charAt(at - 1)));
    }
}

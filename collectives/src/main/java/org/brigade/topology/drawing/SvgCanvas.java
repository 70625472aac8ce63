package org.brigade.topology.drawing;

import java.util.Locale;
import org.brigade.topology.xml.XmlWriter;

/** Collects the shapes of a picture. The same calls give the same text, to the byte. */
final class SvgCanvas {
    /** How wide a character of the picture's text is, on average, for each unit of its size. */
    private static final double ASPECT = 0.56;

    private final StringBuilder body = new StringBuilder();

    void rectangle(double x, double y, double width, double height, String fill, String stroke, String tip) {
        body.append("<rect x=\"").append(number(x)).append("\" y=\"").append(number(y)).append("\" width=\"").append(number(width)).append("\" height=\"")
            .append(number(height)).append("\" rx=\"4\" fill=\"").append(fill).append("\" stroke=\"").append(stroke).append("\">");
        if (!tip.isEmpty()) {
            body.append("<title>").append(XmlWriter.escaped(tip)).append("</title>");
        }
        body.append("</rect>\n");
    }

    void dashed(double x, double y, double width, double height, String stroke) {
        body.append("<rect x=\"").append(number(x)).append("\" y=\"").append(number(y)).append("\" width=\"").append(number(width)).append("\" height=\"")
            .append(number(height)).append("\" rx=\"4\" fill=\"none\" stroke-dasharray=\"5 4\" stroke=\"").append(stroke).append("\"/>\n");
    }

    void line(double x1, double y1, double x2, double y2, String stroke, double width) {
        body.append("<line x1=\"").append(number(x1)).append("\" y1=\"").append(number(y1)).append("\" x2=\"").append(number(x2)).append("\" y2=\"").append(number(y2))
            .append("\" stroke=\"").append(stroke).append("\" stroke-width=\"").append(number(width)).append("\"/>\n");
    }

    /** Text that ends before {@code room} does; {@code anchor} as in SVG. */
    void text(double x, double y, double size, String anchor, String weight, String fill, String text, double room) {
        int most = (int) (room / (size * ASPECT));
        String shown = text.length() <= most ? text : text.substring(0, Math.max(0, most - 1)) + "\u2026";
        body.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y)).append("\" font-size=\"").append(number(size)).append("\" text-anchor=\"")
            .append(anchor).append("\" font-weight=\"").append(weight).append("\" fill=\"").append(fill).append("\">").append(XmlWriter.escaped(shown)).append("</text>\n");
    }

    /** Text on a white ground, for where lines cross. */
    void label(double x, double y, double size, String fill, String text) {
        body.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y)).append("\" font-size=\"").append(number(size))
            .append("\" text-anchor=\"middle\" fill=\"").append(fill).append("\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">").append(XmlWriter.escaped(text))
            .append("</text>\n");
    }

    /** The room that a text takes. */
    static double width(String text, double size) {
        return text.length() * size * ASPECT;
    }

    String svg(double width, double height, String title) {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " + number(height) + "\" width=\"" + number(width) + "\" height=\""
            + number(height) + "\" font-family=\"Helvetica, Arial, sans-serif\">\n<title>" + XmlWriter.escaped(title)
            + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + body + "</svg>\n";
    }

    /** Without a needless fraction. */
    private static String number(double value) {
        long tenths = Math.round(value * 10);
        return tenths % 10 == 0 ? Long.toString(tenths / 10) : String.format(Locale.ROOT, "%.1f", tenths / 10.0);
    }
}

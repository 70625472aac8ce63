package org.brigade.picture;

import java.util.Locale;

/**
 * A value for each pair of two settings, as a shaded table; those within what was expected have a frame.
 *
 * @param values by row, then column
 * @param low least value that was expected
 * @param high the most
 */
public record HeatMap(String title, String xName, String[] columns, String yName, String[] rows, double[][] values,
    double low, double high) implements Picture {
    private static final double LEFT = 110;
    private static final double TOP = 64;

    public HeatMap {
        if (values.length != rows.length || values.length == 0 || values[0].length != columns.length) {
            throw new IllegalArgumentException(title + ": " + rows.length + " rows and " + columns.length
                + " columns for " + values.length + " rows of values");
        }
    }

    @Override
    public void draw(Svg svg, double width, double height) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        for (double[] row : values) {
            for (double value : row) {
                least = Math.min(least, value);
                most = Math.max(most, value);
            }
        }
        double cellWidth = (width - LEFT - 16) / columns.length;
        double cellHeight = (height - TOP - 16) / rows.length;
        svg.text(16, 16, 13, Svg.Anchor.START, "#000", title);
        svg.text(LEFT + columns.length * cellWidth / 2, 36, 11, Svg.Anchor.MIDDLE, "#000", xName);
        svg.upwards(14, TOP + rows.length * cellHeight / 2, 11, "#000", yName);
        for (int column = 0; column < columns.length; column++) {
            svg.text(LEFT + (column + 0.5) * cellWidth, TOP - 8, 10, Svg.Anchor.MIDDLE, "#444", columns[column]);
        }
        for (int row = 0; row < rows.length; row++) {
            svg.text(LEFT - 6, TOP + (row + 0.5) * cellHeight + 4, 10, Svg.Anchor.END, "#444", rows[row]);
            for (int column = 0; column < columns.length; column++) {
                double value = values[row][column];
                double share = most > least ? (value - least) / (most - least) : 0;
                boolean expected = value >= low && value <= high;
                svg.rectangle(LEFT + column * cellWidth + 1, TOP + row * cellHeight + 1, cellWidth - 2, cellHeight - 2,
                    shade(share), expected ? "#d55e00" : "none");
                svg.text(LEFT + (column + 0.5) * cellWidth, TOP + (row + 0.5) * cellHeight + 4, 11, Svg.Anchor.MIDDLE,
                    share > 0.6 ? "#fff" : "#000",
                    String.format(Locale.ROOT, "%.2f", value));
            }
        }
    }

    private static String shade(double share) {
        int red = (int) Math.round(240 - 230 * share);
        int green = (int) Math.round(246 - 150 * share);
        int blue = (int) Math.round(252 - 90 * share);
        return String.format(Locale.ROOT, "#%02x%02x%02x", red, green, blue);
    }
}

package org.brigade.topology.figure;

/**
 * The dimension of a {@link Figure}, with the units that a machine file may use. Values are kept in bytes, seconds and
 * bytes/s.
 */
public enum Dimension {
    RATE("a rate in GB/s, MB/s, Gbit/s or Mbit/s", 1, 1e15, "GB/s", 1e9, "MB/s", 1e6, "Gbit/s", 1e9 / 8, "Mbit/s",
        1e6 / 8),
    TIME("a time in s, ms, us or ns", 0, 10, "s", 1, "ms", 1e-3, "us", 1e-6, "ns", 1e-9),
    SIZE("a size in B, KiB, MiB or GiB", 1, 1L << 50, "B", 1, "KiB", 1 << 10, "MiB", 1 << 20, "GiB", 1 << 30),
    COUNT("a count", 1, 1 << 20, "count", 1),
    RATIO("a ratio", 1e-6, 1e6, "ratio", 1);

    private final String words;
    private final double least;
    private final double most;
    private final Object[] units;

    Dimension(String words, double least, double most, Object... units) {
        this.words = words;
        this.least = least;
        this.most = most;
        this.units = units;
    }

    /** With its units, for errors: {@code a time in s, ms, us or ns}. */
    public String words() {
        return words;
    }

    /** The smallest sensible value, in SI. */
    double least() {
        return least;
    }

    /** The largest value that a file may give, in SI: anything larger is a typing error. */
    double most() {
        return most;
    }

    /** The SI value of one {@code unit}, or NaN if that is no unit of this dimension. */
    public double scale(String unit) {
        for (int i = 0; i < units.length; i += 2) {
            if (units[i].equals(unit)) {
                return ((Number) units[i + 1]).doubleValue();
            }
        }
        return Double.NaN;
    }

    /** The dimension that {@code unit} belongs to, or null. */
    static Dimension of(String unit) {
        for (Dimension dimension : values()) {
            if (!Double.isNaN(dimension.scale(unit))) {
                return dimension;
            }
        }
        return null;
    }
}

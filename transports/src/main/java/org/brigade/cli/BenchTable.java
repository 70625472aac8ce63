package org.brigade.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.brigade.select.ByteSize;

/** Writes measured times line by line as they come, as CSV or as a table to read. */
final class BenchTable {
    private final PrintWriter out;
    private final boolean csv;
    private String operation = "";

    BenchTable(PrintWriter out, boolean csv) {
        this.out = out;
        this.csv = csv;
    }

    /** A time of ours. */
    void row(BenchRow row) {
        if (csv) {
            header("operation,ranks,bytes,algorithm,microseconds");
            out.println(columns(row));
        } else {
            heading(row, String.format("%12s  %-22s %14s %10s", "bytes", "algorithm", "microseconds", "GB/s"));
            out.printf(Locale.ROOT, "%12s  %-22s %14.3f %10s%n", ByteSize.compact(row.bytes()), row.algorithm(), row.microseconds(), rate(row));
        }
        out.flush();
    }

    /** A time of ours beside the peer's; {@code theirs} NaN if the peer gave none. */
    void row(BenchRow row, double theirs) {
        double ratio = theirs / row.microseconds();
        if (csv) {
            header("operation,ranks,bytes,algorithm,microseconds,peer_microseconds,ratio");
            out.printf(Locale.ROOT, "%s,%s,%s%n", columns(row), number(theirs, "%.3f"), number(ratio, "%.3f"));
        } else {
            heading(row, String.format("%12s  %-22s %14s %14s %10s", "bytes", "algorithm", "microseconds", "peer's", "ratio"));
            out.printf(Locale.ROOT, "%12s  %-22s %14.3f %14s %10s%n", ByteSize.compact(row.bytes()), row.algorithm(), row.microseconds(),
                number(theirs, "%.3f"), number(ratio, "%.2f x"));
        }
        out.flush();
    }

    private void header(String header) {
        if (operation.isEmpty()) {
            out.println(header);
            operation = header;
        }
    }

    private void heading(BenchRow row, String columns) {
        if (!row.operation().equals(operation)) {
            out.println((operation.isEmpty() ? "" : System.lineSeparator()) + row.operation() + ", " + row.ranks() + (row.ranks() == 1 ? " rank" : " ranks"));
            out.println(columns);
            operation = row.operation();
        }
    }

    private static String columns(BenchRow row) {
        return row.operation() + "," + row.ranks() + "," + row.bytes() + "," + row.algorithm() + "," + String.format(Locale.ROOT, "%.3f", row.microseconds());
    }

    private static String rate(BenchRow row) {
        return row.bytes() == 0 || row.microseconds() == 0 ? "" : String.format(Locale.ROOT, "%.2f", row.bytes() / row.microseconds() / 1000);
    }

    private static String number(double value, String format) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }
}

package org.brigade.cli.bench.compare;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.MeasuredRow;

/**
 * Writes measured times line by line as they come, as CSV or as a readable table. If times on a stream and in a graph
 * were measured, they come last in the line.
 */
public final class BenchTable {
    private final PrintWriter out;
    private final boolean csv;
    private final boolean device;
    private String operation = "";
    private boolean anyUnsteady;

    public BenchTable(PrintWriter out, boolean csv) {
        this(out, csv, false);
    }

    /** @param device whether CSV has columns for times on a stream and in a graph */
    public BenchTable(PrintWriter out, boolean csv, boolean device) {
        this.device = device;
        this.out = out;
        this.csv = csv;
    }

    /** Writes what is compared. @return false if there is no place for it, in CSV */
    boolean head(Map<String, String> versions) {
        if (!csv) {
            versions.forEach((name, version) -> out.println(name + ": " + version));
            out.println();
            out.flush();
        }
        return !csv;
    }

    /** Writes one of our times. */
    public void row(BenchRow row) {
        if (csv) {
            header(names(row) + (device ? ",stream,graph" : ""));
            out.println(
                columns(row) + (device ? "," + number(row.stream(), "%.3f") + "," + number(row.graph(), "%.3f") : ""));
        } else {
            heading(row, String.format("%12s  %-22s %14s %10s", place(row), "algorithm", "microseconds", "GB/s"));
            out.printf(Locale.ROOT, "%12s  %-22s %14.3f %10s%s%n", row.place(), row.algorithm(), row.microseconds(),
                rate(row),
                ordered(row));
        }
        out.flush();
    }

    /**
     * Writes one of our times beside the peers'. The fastest counts. One of several has a column of its own.
     *
     * @param names of all peers
     */
    public void row(MeasuredRow measured, List<String> names) {
        MeasuredRow.PeerTime best = measured.best();
        StringBuilder more = new StringBuilder();
        StringBuilder columns = new StringBuilder();
        for (String name : names.size() > 1 ? names : List.<String>of()) {
            MeasuredRow.PeerTime peer = measured.of(name);
            double time = peer == null ? Double.NaN : peer.microseconds();
            columns.append(csv ? "," + name : String.format(" %14s", name));
            more.append(csv ? "," + number(time, "%.3f") : String.format(" %14s", number(time, "%.3f")));
        }
        boolean unsteady = measured.isUnsteady() && !csv;
        anyUnsteady |= unsteady;
        row(measured.row(), best == null ? null : best.row(), columns.toString(),
            more + (unsteady ? "  unsteady" : ""));
    }

    /** Writes what readers of a table must know about its marks. */
    void end() {
        if (anyUnsteady) {
            out.printf("%nunsteady: the interquartile range of the runs, of ours or the peer's, is more than a third of"
                + " their median:%nthe machine changed its state in between. Measure again, or with more --runs.%n");
            out.flush();
        }
    }

    /** Writes one of our times beside the peer's; {@code peer} is null if the peer gave none. */
    public void row(BenchRow row, BenchRow peer) {
        row(row, peer, "", "");
    }

    private void row(BenchRow row, BenchRow peer, String moreColumns, String more) {
        double theirs = peer == null ? Double.NaN : peer.microseconds();
        double ratio = theirs / row.microseconds();
        if (csv) {
            header(names(row) + ",peer_microseconds,ratio"
                + (device ? ",stream,peer_stream,graph,peer_graph" : "") + moreColumns);
            out.printf(Locale.ROOT, "%s,%s,%s%s%s%n", columns(row), number(theirs, "%.3f"), number(ratio, "%.3f"),
                device ? "," + number(row.stream(), "%.3f") + ","
                    + number(peer == null ? Double.NaN : peer.stream(), "%.3f") + "," + number(row.graph(), "%.3f")
                    + "," + number(peer == null ? Double.NaN : peer.graph(), "%.3f") : "",
                more);
        } else {
            heading(row,
                String.format("%12s  %-22s %14s %14s %10s", place(row), "algorithm", "microseconds",
                    moreColumns.isEmpty() ? "peer's" : "best peer's", "ratio") + moreColumns);
            out.printf(Locale.ROOT, "%12s  %-22s %14.3f %14s %10s%s%s%s%n", row.place(), row.algorithm(),
                row.microseconds(),
                number(theirs, "%.3f"), number(ratio, ratio < 0.1 ? "%.3f x" : "%.2f x"),
                peer == null ? "" : beside("stream", row.stream(), peer.stream()),
                peer == null ? "" : beside("graph", row.graph(), peer.graph()), more);
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
        if (!row.group().equals(operation)) {
            out.println((operation.isEmpty() ? "" : System.lineSeparator()) + row.group() + ", " + row.ranks()
                + (row.ranks() == 1 ? " rank" : " ranks"));
            out.println(columns);
            operation = row.group();
        }
    }

    private static String columns(BenchRow row) {
        return row.operation() + "," + row.ranks() + "," + row.bytes() + "," + (row.isCold() ? row.calls() + "," : "")
            + row.algorithm() + "," + String.format(Locale.ROOT, "%.3f", row.microseconds());
    }

    private static String names(BenchRow row) {
        return "operation,ranks,bytes," + (row.isCold() ? "calls," : "") + "algorithm,microseconds";
    }

    private static String place(BenchRow row) {
        return row.isCold() ? "calls" : "bytes";
    }

    private static String rate(BenchRow row) {
        return row.isCold() || row.bytes() == 0 || row.microseconds() == 0 ? ""
            : String.format(Locale.ROOT, "%.2f", row.bytes() / row.microseconds() / 1000);
    }

    private static String ordered(BenchRow row) {
        return (Double.isNaN(row.stream()) ? "" : "  stream " + number(row.stream(), "%.3f"))
            + (Double.isNaN(row.graph()) ? "" : "  graph " + number(row.graph(), "%.3f"));
    }

    private static String beside(String what, double ours, double theirs) {
        return Double.isNaN(ours) || Double.isNaN(theirs) ? "" : "  " + what + " " + number(ours, "%.3f") + " / "
            + number(theirs, "%.3f") + " = " + number(theirs / ours, "%.2f x");
    }

    private static String number(double value, String format) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }
}

package org.brigade.cli.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.CsvFile;
import org.brigade.select.ByteSize;

/**
 * Prints the rows of {@code bench --metrics nccl}, ours beside those over sockets if there are any, and reads them
 * again to draw them.
 */
final class BusTable {
    /** @param peer the row over sockets; null if not measured */
    record Line(int nodes, BusRow ours, BusRow peer) {
    }

    private static final String HEADER =
        "operation,nodes,ranks,bytes,algorithm,microseconds,algbw,busbw,cpu,"
            + "peer_microseconds,peer_algbw,peer_busbw,peer_cpu,ratio";

    private final PrintWriter out;
    private final boolean csv;
    private final boolean beside;
    private BusOperation last;

    BusTable(PrintWriter out, boolean csv, boolean beside) {
        this.out = out;
        this.csv = csv;
        this.beside = beside;
        if (csv) {
            out.println(HEADER);
        }
    }

    void line(Line line) {
        BusRow row = line.ours;
        BusRow peer = line.peer;
        if (csv) {
            out.printf(Locale.ROOT, "%s,%d,%d,%d,%s,%.3f,%.6f,%.6f,%.3f,%s%n", row.operation().key(), line.nodes,
                row.ranks(), row.bytes(), row.algorithm(), row.microseconds(), row.algorithmBandwidth(),
                row.busBandwidth(), row.cpu(),
                peer == null ? ",,,,"
                    : String.format(Locale.ROOT, "%.3f,%.6f,%.6f,%.3f,%.3f", peer.microseconds(),
                        peer.algorithmBandwidth(), peer.busBandwidth(), peer.cpu(),
                        peer.microseconds() / row.microseconds()));
        } else {
            if (row.operation() != last) {
                out.printf("%s%s, %d ranks on %d nodes%n%12s  %-22s %14s %9s %9s %6s%s%n",
                    last == null ? "" : System.lineSeparator(), row.operation().key(), row.ranks(), line.nodes, "bytes",
                    "algorithm",
                    "microseconds", "alg GB/s", "bus GB/s", "CPU",
                    beside ? String.format("%14s %9s %6s %9s", "sockets", "bus GB/s", "CPU", "ratio") : "");
                last = row.operation();
            }
            out.printf(Locale.ROOT, "%12s  %-22s %14.3f %9.3f %9.3f %6.2f%s%n", ByteSize.compact(row.bytes()),
                row.algorithm(), row.microseconds(), row.algorithmBandwidth(), row.busBandwidth(), row.cpu(),
                peer == null ? "" : String.format(Locale.ROOT, "%14.3f %9.4f %6.2f %7.1f x", peer.microseconds(),
                    peer.busBandwidth(), peer.cpu(), peer.microseconds() / row.microseconds()));
        }
        out.flush();
    }

    /** @throws BenchException naming the file and the line that cannot be read */
    static List<Line> read(Path file) {
        List<Line> lines = new ArrayList<>();
        try {
            for (CsvFile.Row row : CsvFile.read(file, List.of(HEADER.split(","))).rows()) {
                boolean beside = !row.of("peer_microseconds").isEmpty();
                BusRow ours = row(row, row.of("algorithm"), "");
                BusRow peer = beside ? row(row, "", "peer_") : null;
                if (ours == null || beside && peer == null || !row.of("nodes").matches("[1-9][0-9]{0,5}")) {
                    throw row.wrong("bench --metrics nccl --csv writes other rows");
                }
                lines.add(new Line(Integer.parseInt(row.of("nodes")), ours, peer));
            }
        } catch (IllegalArgumentException e) {
            throw new BenchException("--from: " + e.getMessage());
        }
        if (lines.isEmpty()) {
            throw new BenchException("--from: there is no measurement in " + file);
        }
        return lines;
    }

    private static BusRow row(CsvFile.Row row, String algorithm, String whose) {
        return BusRow.parse(String.join(",", row.of("operation"), row.of("ranks"), row.of("bytes"), algorithm,
            row.of(whose + "microseconds"), row.of(whose + "cpu")));
    }
}

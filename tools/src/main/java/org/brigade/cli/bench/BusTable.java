package org.brigade.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.brigade.cli.shared.BenchException;
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
    private static final int FIELDS = 14;

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
        List<String> texts;
        try {
            texts = Files.readAllLines(file);
        } catch (IOException e) {
            throw new BenchException("--from: " + file + " cannot be read (" + e
                + "); name a file that bench --metrics nccl --csv has written");
        }
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i).strip();
            if (text.isEmpty() || text.startsWith("#") || text.equals(HEADER)) {
                continue;
            }
            String[] fields = text.split(",", -1);
            BusRow ours = fields.length != FIELDS ? null
                : BusRow.parse(String.join(",", fields[0], fields[2], fields[3], fields[4], fields[5], fields[8]));
            BusRow peer = ours == null || fields[9].isEmpty() ? null
                : BusRow.parse(String.join(",", fields[0], fields[2], fields[3], "", fields[9], fields[12]));
            if (ours == null || !fields[1].matches("[1-9][0-9]{0,5}") || !fields[9].isEmpty() && peer == null) {
                throw new BenchException("--from: line " + (i + 1) + " of " + file
                    + " is not one that bench --metrics nccl --csv writes: " + HEADER);
            }
            lines.add(new Line(Integer.parseInt(fields[1]), ours, peer));
        }
        if (lines.isEmpty()) {
            throw new BenchException("--from: there is no measurement in " + file);
        }
        return lines;
    }
}

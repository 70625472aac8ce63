package org.brigade.cli.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.bcast.DirectBcast;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.cli.shared.CsvField;
import org.brigade.cli.shared.CsvFile;
import org.brigade.cli.shared.TimedAlgorithm;
import org.brigade.select.ByteSize;
import org.brigade.simulate.wiring.RoutingModel;

/**
 * Compares measured times with the simulator's: {@code brigade simulate --measured}. It reads what {@code brigade bench
 * --csv} writes. The optional columns {@code topology}, {@code chunk} and {@code radix} override the command line.
 * {@code latency} is a message between the first two ranks.
 */
public final class MeasuredComparison {
    /** A simulated time agrees if it differs from the measured time by at most this part of it. */
    private static final double NEAR = 0.25;
    private static final List<String> NEEDED = List.of("operation", "ranks", "bytes", "algorithm", "microseconds");

    private final Path file;
    private final Function<String, RoutingModel> wirings;
    private final String topology;
    private final long chunk;
    private final int radix;
    private final long eager;
    private final Map<String, RoutingModel> known = new HashMap<>();
    private int rows;
    private int near;

    /** @param topology for rows that name none; null if every row must name one */
    public MeasuredComparison(Path file, Function<String, RoutingModel> wirings, String topology, long chunk, int radix,
        long eager) {
        this.file = file;
        this.wirings = wirings;
        this.topology = topology;
        this.chunk = chunk;
        this.radix = radix;
        this.eager = eager;
    }

    /** @throws IllegalArgumentException naming the line that cannot be simulated, and the reason */
    public void print(PrintWriter out, boolean csv) {
        List<CsvFile.Row> read;
        try {
            read = CsvFile.read(file, NEEDED).rows();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--measured: " + e.getMessage(), e);
        }
        out.println(csv ? "operation,topology,ranks,bytes,algorithm,measured,simulated,ratio"
            : String.format("%-16s %-18s %6s %8s  %-24s %12s %12s %7s", "operation", "topology", "ranks", "bytes",
                "algorithm", "measured us", "simulated", "ratio"));
        read.forEach(row -> row(row, out, csv));
        if (!csv) {
            out.printf("%d of %d within %.0f %%%n", near, rows, 100 * NEAR);
        }
    }

    private void row(CsvFile.Row row, PrintWriter out, boolean csv) {
        String operation = row.of("operation");
        String name = row.of("algorithm");
        int ranks;
        long bytes;
        long window;
        int branching;
        double measured;
        try {
            ranks = Integer.parseInt(row.of("ranks"));
            bytes = ByteSize.parse(row.of("bytes"));
            window = row.of("chunk").isEmpty() ? chunk : ByteSize.parse(row.of("chunk"));
            branching = row.of("radix").isEmpty() ? radix : Integer.parseInt(row.of("radix"));
            measured = Double.parseDouble(row.of("microseconds"));
        } catch (NumberFormatException e) {
            throw wrong(row, "a number cannot be read: " + e.getMessage());
        }
        String where = row.of("topology").isEmpty() ? topology : row.of("topology");
        if (where == null) {
            throw wrong(row, "no topology; give the file a column topology, or pass --topology");
        }
        double simulated;
        try {
            RoutingModel wiring = known.computeIfAbsent(where, wirings);
            TimedAlgorithm call = new TimedAlgorithm(algorithm(operation, name), ranks, 0, bytes, window, branching,
                wiring.wires(ranks, Math.min(bytes, Math.max(1, window))));
            simulated = call.run(wiring, eager, null).seconds() * 1e6;
        } catch (IllegalArgumentException e) {
            throw wrong(row, e.getMessage());
        }
        double ratio = simulated / measured;
        rows++;
        near += Math.abs(ratio - 1) <= NEAR ? 1 : 0;
        out.printf(Locale.ROOT,
            csv ? "%s,%s,%d,%s,%s,%.3f,%.3f,%.3f%n" : "%-16s %-18s %6d %8s  %-24s %12.1f %12.1f %7.2f%n", operation,
            csv ? CsvField.of(where) : where, ranks,
            csv ? Long.toString(bytes) : ByteSize.compact(bytes), name, measured, simulated, ratio);
        out.flush();
    }

    private static Algorithm algorithm(String operation, String name) {
        if (operation.equals("latency")) {
            return new DirectBcast();
        }
        for (Collective collective : Collective.values()) {
            if (collective.key().equals(operation)) {
                Algorithm found = Catalogue.find(collective, name);
                if (found == null) {
                    throw new IllegalArgumentException(
                        "no algorithm of " + operation + " is called '" + name + "'; write the one that does the same");
                }
                return found;
            }
        }
        throw new IllegalArgumentException(
            "'" + operation + "' is neither latency nor a collective; leave such lines out");
    }

    private static IllegalArgumentException wrong(CsvFile.Row row, String what) {
        return new IllegalArgumentException("--measured: " + row.wrong(what).getMessage());
    }
}

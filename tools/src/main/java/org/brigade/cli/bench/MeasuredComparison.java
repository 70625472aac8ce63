package org.brigade.cli.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.ScheduledAlgorithm;
import org.brigade.algorithm.bcast.DirectBcast;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.cli.shared.CsvField;
import org.brigade.select.ByteSize;
import org.brigade.simulate.SimulatedCall;
import org.brigade.simulate.Simulator;
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
    private static final int MOST_ROWS = 100_000;

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
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("--measured: " + file + " cannot be read (" + e
                + "); name a file that brigade bench --csv has written");
        }
        if (lines.size() > MOST_ROWS) {
            throw new IllegalArgumentException("--measured: " + file + " has more than " + MOST_ROWS + " lines");
        }
        List<String> columns = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            List<String> fields = Arrays.asList(line.split(",", -1));
            if (columns == null) {
                columns = fields;
                if (!columns.containsAll(NEEDED)) {
                    throw wrong(i, "the first line names the columns, among them " + String.join(",", NEEDED));
                }
                out.println(csv ? "operation,topology,ranks,bytes,algorithm,measured,simulated,ratio"
                    : String.format("%-16s %-18s %6s %8s  %-24s %12s %12s %7s", "operation", "topology", "ranks",
                        "bytes", "algorithm", "measured us", "simulated", "ratio"));
            } else {
                row(i, columns, fields, out, csv);
            }
        }
        if (!csv) {
            out.printf("%d of %d within %.0f %%%n", near, rows, 100 * NEAR);
        }
    }

    private void row(int line, List<String> columns, List<String> fields, PrintWriter out, boolean csv) {
        if (fields.size() != columns.size()) {
            throw wrong(line, fields.size() + " fields, but the first line names " + columns.size());
        }
        Function<String, String> field =
            name -> columns.contains(name) ? fields.get(columns.indexOf(name)).strip() : "";
        String operation = field.apply("operation");
        String name = field.apply("algorithm");
        int ranks;
        long bytes;
        long window;
        int branching;
        double measured;
        try {
            ranks = Integer.parseInt(field.apply("ranks"));
            bytes = ByteSize.parse(field.apply("bytes"));
            window = field.apply("chunk").isEmpty() ? chunk : ByteSize.parse(field.apply("chunk"));
            branching = field.apply("radix").isEmpty() ? radix : Integer.parseInt(field.apply("radix"));
            measured = Double.parseDouble(field.apply("microseconds"));
        } catch (NumberFormatException e) {
            throw wrong(line, "a number cannot be read: " + e.getMessage());
        }
        String where = field.apply("topology").isEmpty() ? topology : field.apply("topology");
        if (where == null) {
            throw wrong(line, "no topology; give the file a column topology, or pass --topology");
        }
        double simulated;
        try {
            RoutingModel wiring = known.computeIfAbsent(where, wirings);
            SimulatedCall call = new SimulatedCall(algorithm(operation, name), ranks, 0, bytes, window, branching,
                wiring.wires(ranks, Math.min(bytes, Math.max(1, window))));
            simulated = new Simulator(wiring).eager(eager).run(call).seconds() * 1e6;
        } catch (IllegalArgumentException e) {
            throw wrong(line, e.getMessage());
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

    private static ScheduledAlgorithm algorithm(String operation, String name) {
        if (operation.equals("latency")) {
            return new DirectBcast();
        }
        for (Collective collective : Collective.values()) {
            if (collective.key().equals(operation)) {
                Algorithm found = Catalogue.find(collective, name);
                if (found == null) {
                    throw new IllegalArgumentException(
                        "no schedule of " + operation + " is called '" + name + "'; write the one that does the same");
                }
                return found.schedule();
            }
        }
        throw new IllegalArgumentException(
            "'" + operation + "' is neither latency nor a collective; leave such lines out");
    }

    private IllegalArgumentException wrong(int line, String what) {
        return new IllegalArgumentException("--measured: line " + (line + 1) + " of " + file + ": " + what);
    }
}

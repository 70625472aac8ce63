package org.brigade.cli.bench.compare;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import mpi.spi.release.Release;
import org.brigade.cli.bench.report.BenchReport;
import org.brigade.cli.bench.report.MachineFacts;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.bench.versus.BenchRow;
import org.brigade.cli.bench.versus.Comparison;
import org.brigade.cli.bench.versus.MachineLimit;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.NamedPeers;
import org.brigade.cli.bench.versus.PeerBenchmark;
import org.brigade.cli.bench.versus.PeerProgram;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.MeasuringBar;

/** {@code bench --vs} and {@code --report}: our ranks in turn with peers and the machine's limit. */
public final class VersusBench {
    /** Starts our ranks for a job. */
    public interface Ours {
        /**
         * @param bound whether each rank is to be bound to a core, unless the user says something else
         * @return 0, or the code of the first rank that failed
         */
        int run(BenchJob job, boolean bound, Consumer<BenchRow> sink);

        /** How they are bound then, in words. */
        default String binding(boolean bound) {
            return bound ? "each rank bound to a core" : NamedPeers.NOT_BOUND;
        }
    }

    private final Ours ours;
    private final VersusOptions options;
    private final String command;
    private final PrintWriter err;

    /** @param command our command line, for reports */
    public VersusBench(Ours ours, VersusOptions options, String command, PrintWriter err) {
        this.ours = ours;
        this.options = options;
        this.command = command;
        this.err = err;
    }

    /**
     * Prints a table, and writes a report if one is wanted.
     *
     * @param load what other programs use of the machine, in words
     * @return 0, or the code of a rank that failed
     */
    public int compare(BenchJob job, BenchTable table, String load) {
        MachineLimit limit = options.report == null ? null : new MachineLimit(job);
        List<PeerBenchmark> peers = peers(options.peers, job);
        try {
            boolean bound = NamedPeers.bind(peers);
            Map<String, String> versions = versions(peers, bound);
            if (!peers.isEmpty() && !table.head(versions)) {
                versions.forEach((name, version) -> note(name + ": " + version));
            }
            Comparison comparison = new Comparison(peers, limit);
            Thread ended = new Thread(() -> {
                note("ended before all runs were made; this is what has been measured:");
                print(comparison, table);
            });
            Runtime.getRuntime().addShutdownHook(ended);
            int code = run(comparison, job, bound);
            if (code != 0) {
                return code;
            }
            try {
                Runtime.getRuntime().removeShutdownHook(ended);
            } catch (IllegalStateException ending) {
                return 1; // the hook prints
            }
            List<MeasuredRow> rows = print(comparison, table);
            if (limit != null) {
                write(new BenchReport(command, now(), versions, MachineFacts.here(), load, comparison.names(),
                    options.runs(), job.freshBytes() > 0, rows, limit));
            }
            return 0;
        } finally {
            peers.forEach(PeerBenchmark::close);
        }
    }

    private static List<MeasuredRow> print(Comparison comparison, BenchTable table) {
        List<MeasuredRow> rows = comparison.rows();
        for (MeasuredRow row : rows) {
            if (comparison.names().isEmpty()) {
                table.row(row.row());
            } else {
                table.row(row, comparison.names());
            }
        }
        table.end();
        return rows;
    }

    /** Measures without a table. @return 0, or the code of a rank that failed */
    int measure(BenchJob job, String names, List<MeasuredRow> rows, Map<String, String> versions) {
        List<PeerBenchmark> peers = peers(names, job);
        try {
            boolean bound = NamedPeers.bind(peers);
            versions.putAll(versions(peers, bound));
            Comparison comparison = new Comparison(peers, null);
            int code = run(comparison, job, bound);
            rows.addAll(comparison.rows());
            return code;
        } finally {
            peers.forEach(PeerBenchmark::close);
        }
    }

    /** The bar counts the rows of all sides. */
    private int run(Comparison comparison, BenchJob job, boolean bound) {
        int[] done = new int[1];
        long all = (long) options.runs() * job.rows() * (1 + comparison.names().size());
        try (MeasuringBar bar = new MeasuringBar("measured", " rows", err)) {
            return comparison.run(sink -> ours.run(job, bound, sink), options.runs(), () -> bar.at(++done[0], all));
        }
    }

    private List<PeerBenchmark> peers(String text, BenchJob job) {
        if (text == null) {
            return List.of();
        }
        List<String> names = NamedPeers.names(text);
        if (!names.isEmpty()) {
            return NamedPeers.open(names, job, this::note);
        }
        if (job.freshBytes() > 0 && !text.contains("{fresh}")) {
            note("--fresh: the command line of --vs has no {fresh}, so the peer's buffers are as it has them");
        }
        return List.of(PeerProgram.ofShell(text, job));
    }

    void note(String words) {
        err.println("brigade bench: " + words);
        err.flush();
    }

    private void write(BenchReport report) {
        try {
            Files.writeString(options.report, report.text(options.report));
        } catch (IOException e) {
            throw new BenchException("--report: " + options.report + " cannot be written (" + e
                + "); name a file in a folder that you may write to");
        }
    }

    static String now() {
        return ZonedDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'"));
    }

    /** What is compared, and how ranks are bound. */
    private Map<String, String> versions(List<PeerBenchmark> peers, boolean bound) {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("Brigade", Release.number() + ", " + ours.binding(bound));
        versions.put("JDK", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        for (PeerBenchmark peer : peers) {
            versions.put(peer.name(), peer.version() + (peer.binding().isEmpty() ? "" : ", " + peer.binding()));
        }
        return versions;
    }
}

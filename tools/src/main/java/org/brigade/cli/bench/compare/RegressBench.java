package org.brigade.cli.bench.compare;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.brigade.cli.bench.regress.Expectations;
import org.brigade.cli.bench.regress.ExpectedRatio;
import org.brigade.cli.bench.regress.MachineShape;
import org.brigade.cli.bench.report.MachineFacts;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.bench.versus.MachineLimit;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.NamedPeers;
import org.brigade.select.ByteSize;

/** {@code bench --regress}: compares ratios with those expected of a shape of machines, or saves them. */
public final class RegressBench {
    /** Load averages below this are those of a quiet machine. */
    private static final double QUIET = 0.3;

    private final VersusBench bench;
    private final VersusOptions options;
    private final String command;
    private final PrintWriter out;

    public RegressBench(VersusBench bench, VersusOptions options, String command, PrintWriter out) {
        this.bench = bench;
        this.options = options;
        this.command = command;
        this.out = out;
    }

    /** The shape of this machine now. */
    public static MachineShape shape() {
        MachineLimit limit = new MachineLimit(new BenchJob("", "0", 2, 0)); // no size: only the round trip
        limit.run();
        return MachineShape.of(MachineFacts.here(), limit.roundTrip());
    }

    /**
     * Compares with what is expected, or saves what it measures.
     *
     * @param expected null if there is nothing to compare with
     * @return 0; 1 if a ratio has fallen; or the code of a rank that failed
     */
    public int run(BenchJob job, Expectations expected, MachineShape shape, Path folder) {
        List<MeasuredRow> rows = new ArrayList<>();
        Map<String, String> versions = new LinkedHashMap<>();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (options.save && load > QUIET) {
            bench.note(
                String.format(Locale.ROOT, "the load average is %.1f: other programs run here, and ratios that are"
                    + " saved now will mislead", load));
        }
        String names = options.peers != null ? options.peers
            : expected != null ? String.join(",", expected.peers()) : NamedPeers.OPENMPI;
        int code = bench.measure(job, names, rows, versions);
        if (code != 0) {
            return code;
        }
        if (options.save) {
            Map<String, Object> made = new LinkedHashMap<>();
            made.put("date", VersusBench.now());
            made.put("command", command);
            made.put("versions", versions);
            Path file = Expectations.of(job, rows).save(folder, shape, made);
            out.println("The ratios expected of " + shape + " are in " + file);
            out.flush();
            return 0;
        }
        List<Expectations.Verdict> verdicts = expected.compare(rows);
        List<Expectations.Verdict> fallen = verdicts.stream().filter(Expectations.Verdict::fell).toList();
        if (!fallen.isEmpty()) {
            // The machine may have done something else just then.
            String again =
                String.join(",", fallen.stream().map(verdict -> verdict.expected().operation()).distinct().toList());
            rows.clear();
            code = bench.measure(new BenchJob(again, job.sizes(), job.ranks(), job.freshBytes()), names, rows,
                versions);
            if (code != 0) {
                return code;
            }
            List<Expectations.Verdict> second =
                expected.compare(rows).stream().filter(Expectations.Verdict::fell).toList();
            fallen = fallen.stream().filter(first -> second.stream().anyMatch(first::isFor)).toList();
        }
        print(verdicts, fallen, shape);
        return fallen.isEmpty() ? 0 : 1;
    }

    private void print(List<Expectations.Verdict> verdicts, List<Expectations.Verdict> fallen, MachineShape shape) {
        out.printf("%-16s %8s  %-14s %9s %9s%n", "operation", "bytes", "peer", "expected", "now");
        for (Expectations.Verdict verdict : verdicts) {
            ExpectedRatio expected = verdict.expected();
            out.printf(Locale.ROOT, "%-16s %8s  %-14s %9.2f %9.2f%s%n", expected.operation(),
                ByteSize.compact(expected.bytes()), expected.peer(), expected.ratio(), verdict.now().ratio(),
                fallen.contains(verdict) ? "  fell" : verdict.fell() ? "  fell once, not again"
                    : verdict.rose() ? "  rose" : "");
        }
        out.printf("%n%d of %d ratios have fallen (%s).%n%s%n", fallen.size(), verdicts.size(), shape,
            ExpectedRatio.RULE);
        out.flush();
    }
}

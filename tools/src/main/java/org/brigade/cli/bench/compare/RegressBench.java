package org.brigade.cli.bench.compare;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.brigade.cli.bench.regress.Expectations;
import org.brigade.cli.bench.regress.ExpectedRatio;
import org.brigade.cli.bench.regress.MachineShape;
import org.brigade.cli.bench.versus.BenchJob;
import org.brigade.cli.bench.versus.MachineLimit;
import org.brigade.cli.bench.versus.MeasuredRow;
import org.brigade.cli.bench.versus.NamedPeers;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.MachineLoad;
import org.brigade.topology.system.HostShape;

/** {@code bench --regress}: compares ratios with those expected of a shape of machines, or saves them. */
public final class RegressBench {
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
        return MachineShape.of(HostShape.here(), limit.roundTrip());
    }

    /**
     * Compares with what is expected, or saves what it measures.
     *
     * @param expected null if there is nothing to compare with
     * @param shape of the machine before
     * @param now the shape at any time
     * @return 0; 1 if a ratio has fallen; or the code of a rank that failed
     */
    public int run(BenchJob job, Expectations expected, MachineShape shape, Supplier<MachineShape> now, Path folder) {
        List<MeasuredRow> rows = new ArrayList<>();
        Map<String, String> versions = new LinkedHashMap<>();
        String loaded = MachineLoad.complaint(options.save ? "ratios that are saved now will mislead"
            : "ratios may fall because of them");
        if (loaded != null) {
            bench.note(loaded);
        }
        String names = options.peers != null ? options.peers
            : expected != null ? String.join(",", expected.peers()) : NamedPeers.OPENMPI;
        int code = bench.measure(job, names, rows, versions);
        if (code != 0) {
            return code;
        }
        MachineShape after = now.get();
        if (!after.equals(shape)) {
            throw new BenchException("--regress: the machine has changed while it was measured: " + shape + "; now "
                + after + ". Nothing was " + (options.save ? "saved" : "compared") + "; run it again");
        }
        if (options.save) {
            noteUnsteady(rows);
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
        if (verdicts.isEmpty()) {
            throw new BenchException("--regress: the file for this machine has no ratio of " + job.operations() + " at "
                + job.sizes() + " bytes beside " + names + "; leave out --ops, --sizes and --vs, or save anew");
        }
        List<Expectations.Verdict> fallen = verdicts.stream().filter(Expectations.Verdict::fell).toList();
        if (!fallen.isEmpty()) {
            // The machine may have done something else just then.
            String again =
                String.join(",", fallen.stream().map(verdict -> verdict.expected().operation()).distinct().toList());
            rows.clear();
            code = bench.measure(job.of(again), names, rows, versions);
            if (code != 0) {
                return code;
            }
            List<Expectations.Verdict> second =
                expected.compare(rows).stream().filter(Expectations.Verdict::fell).toList();
            fallen = fallen.stream().filter(first -> second.stream().anyMatch(first::isFor)).toList();
        }
        print(expected, verdicts, fallen, shape);
        return fallen.isEmpty() ? 0 : 1;
    }

    private void noteUnsteady(List<MeasuredRow> rows) {
        String unsteady = String.join(", ", rows.stream().filter(MeasuredRow::isUnsteady)
            .map(row -> row.row().group() + " " + row.row().place()).toList());
        if (!unsteady.isEmpty()) {
            bench.note("unsteady, so that a fall will hardly be noticed: " + unsteady
                + "; save again on a quiet machine, or with more --runs");
        }
    }

    private void print(Expectations expected, List<Expectations.Verdict> verdicts, List<Expectations.Verdict> fallen,
        MachineShape shape) {
        out.printf("%s. A ratio is the peer's time divided by Brigade's: above 1, Brigade is faster.%n%n",
            expected.words());
        String place = expected.job().isCold() ? "calls" : "bytes";
        out.printf("%-24s %9s  %-14s %9s %9s%n", "operation", place, "peer", "expected", "now");
        for (Expectations.Verdict verdict : verdicts) {
            ExpectedRatio ratio = verdict.expected();
            out.printf(Locale.ROOT, "%-24s %9s  %-14s %9.2f %9.2f%s%n", ratio.group(), ratio.place(),
                ratio.peer(), ratio.ratio(), verdict.now().ratio(),
                fallen.contains(verdict) ? "  fell" : verdict.fell() ? "  fell once, not again"
                    : verdict.rose() ? "  rose" : "");
        }
        out.printf("%n%d of %d ratios have fallen: %s.%nThis machine: %s.%n%s%n", fallen.size(), verdicts.size(),
            fallen.isEmpty() ? "Brigade has not become slower here"
                : "here Brigade has become slower, or the peer faster",
            shape, ExpectedRatio.RULE);
        out.flush();
    }
}

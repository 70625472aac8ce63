package org.brigade.cli.verify;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import mpi.spi.Collective;
import org.brigade.algorithm.Algorithm;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.algorithm.catalogue.DeviceCatalogue;
import org.brigade.cli.device.DeviceJob;
import org.brigade.cli.shared.CollectiveName;
import org.brigade.cli.shared.Json;
import org.brigade.cli.shared.MeasuringBar;
import org.brigade.cli.shared.RankOptions;
import org.brigade.cli.shared.SpaceName;
import org.brigade.cli.shared.SubCommand;
import org.brigade.select.MemorySpace;
import org.brigade.verify.Failure;
import org.brigade.verify.VerifySuite;
import org.brigade.verify.straight.Proof;
import org.brigade.verify.straight.StraightSuite;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * {@code brigade verify}: proves the schedules of the catalogue by running all ranks on symbols, and runs straight-line
 * code for all ranks on symbolic memory. Kernels are neither: with {@code --space device} it checks the results of
 * calls on this machine's GPUs instead.
 */
@Command(name = "verify", mixinStandardHelpOptions = true,
    description = "Checks schedules and straight-line code: that messages match, that they end, that nothing is read"
        + " before it is there or overwritten while it is read, and that the result is what MPI says.",
    footer = {"",
        "With --space device, calls collectives on this machine's GPUs instead and compares the results with what"
            + " the host computes:",
        "by the table and by every algorithm that may run. Ranks take the GPUs in turn; if there are more ranks"
            + " than GPUs, they share them.",
        "", "Exits 1 if a schedule or straight-line code failed, or a result was wrong."})
public final class VerifyCommand extends SubCommand implements Callable<Integer> {
    private static final int MOST_RANKS = 4096;

    @Mixin
    private RankOptions.OnDevices started;

    @Option(names = "--ranks", paramLabel = "A:B",
        description = "Numbers of ranks, from A to B (default: ${DEFAULT-VALUE}).", defaultValue = "1:17")
    private String ranks;

    @Option(names = "--collective", paramLabel = "NAME", converter = CollectiveName.class,
        completionCandidates = CollectiveName.class,
        description = "Only this collective, one of: ${COMPLETION-CANDIDATES}.")
    private Collective collective;

    @Option(names = "--algorithm", paramLabel = "NAME",
        description = "Only the algorithms of this name; COLLECTIVE/NAME for one.")
    private String algorithm;

    @Option(names = "--space", paramLabel = "SPACE", completionCandidates = SpaceName.class,
        description = "host proves schedules and straight-line code, device checks results on GPUs (default: host).")
    private MemorySpace space = MemorySpace.HOST;

    @Option(names = {"--np", "-np"}, paramLabel = "N",
        description = "With --space device: ranks to start (default: one for each GPU, at least 2).")
    private int processes;

    @Option(names = "--brief",
        description = "With --space device: a few calls of each kind, which takes a tenth of the time.")
    private boolean brief;

    @Option(names = "--json", description = "Prints one JSON object, and nothing else.")
    private boolean json;

    @Option(names = "--markdown",
        description = "Proves nothing: prints how each algorithm is proved, as the page docs/design/proofs.md.")
    private boolean markdown;

    @Override
    public Integer call() throws InterruptedException {
        if (markdown) {
            out().print(ProofsPage.markdown());
            out().flush();
            return 0;
        }
        if (space == MemorySpace.DEVICE) {
            return onDevices();
        }
        int colon = ranks.indexOf(':');
        int from = number(colon < 0 ? ranks : ranks.substring(0, colon));
        int to = number(colon < 0 ? ranks : ranks.substring(colon + 1));
        if (from < 1 || to < from || to > MOST_RANKS) {
            throw wrong("--ranks " + ranks + " must be A:B with 1 <= A <= B <= " + MOST_RANKS + ", or one number");
        }
        splitAlgorithm();
        List<Algorithm> named = requireKnown();
        VerifySuite suite = new VerifySuite(from, to, collective, algorithm);
        StraightSuite code = new StraightSuite(from, to, collective, algorithm);
        PrintWriter out = out();
        VerifySuite.Report report;
        StraightSuite.Report codes;
        int all = suite.parts() + code.parts();
        try (MeasuringBar bar = new MeasuringBar("verified", " parts", out)) {
            report = suite.run((done, parts, label) -> bar.at(done, all));
            codes = code.run((done, parts, label) -> bar.at(suite.parts() + done, all));
        }
        if (json) {
            out.print(Json.write(named(report, codes)));
        } else {
            report.failures().forEach(out::println);
            codes.failures().forEach(out::println);
            for (Algorithm entry : named) {
                Proof proof = Proof.of(entry);
                if (proof.isTested()) {
                    out.println(entry + ": " + proof.words());
                }
            }
            if (suite.parts() > 0 || code.parts() == 0) {
                out.println(report.summary());
            }
            if (code.parts() > 0) {
                out.println(codes.summary());
            }
        }
        out.flush();
        return report.failures().isEmpty() && codes.failures().isEmpty() ? 0 : 1;
    }

    private int onDevices() {
        splitAlgorithm();
        if (algorithm != null && !algorithm.equals("table")) {
            boolean known = false;
            for (Collective each : Collective.values()) {
                known |= (collective == null || collective == each) && DeviceCatalogue.find(each, algorithm) != null;
            }
            if (!known) {
                throw unknownAlgorithm("brigade explain --space device");
            }
        }
        if (processes < 0 || started.gpus < 0) {
            throw wrong("--np and --gpus must be 1 or more");
        }
        List<String> program =
            List.of(VerifyRank.class.getName(), Integer.toString(started.gpus),
                collective == null ? "all" : collective.key(),
                algorithm == null ? "all" : algorithm, "device", brief ? "brief" : "thorough");
        PrintWriter out = out();
        int count = DeviceJob.ranks(processes, started.gpus);
        StringWriter lines = new StringWriter();
        int code;
        try (MeasuringBar bar = new MeasuringBar("verified", " collectives", json ? new PrintWriter(lines) : out)) {
            code = DeviceJob.run(count, started.java, program, bar::take);
        }
        if (!json) {
            return code;
        }
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("space", "device");
        named.put("passed", code == 0);
        named.put("lines", lines.toString().lines().toList());
        out.print(Json.write(named));
        out.flush();
        return code;
    }

    static Map<String, Object> named(VerifySuite.Report report, StraightSuite.Report codes) {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("space", "host");
        named.put("passed", report.failures().isEmpty() && codes.failures().isEmpty());
        named.put("verified", report.verified());
        named.put("runs", codes.verified());
        List<Map<String, Object>> failures = new ArrayList<>();
        for (Failure failure : report.failures()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("collective", failure.geometry().collective().key());
            one.put("algorithm", failure.algorithm());
            one.put("ranks", failure.geometry().ranks());
            one.put("radix", failure.geometry().radix());
            one.put("text", failure.toString());
            failures.add(one);
        }
        for (StraightSuite.Failure failure : codes.failures()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("collective", failure.algorithm().collective().key());
            one.put("algorithm", failure.algorithm().name());
            one.put("ranks", failure.ranks());
            one.put("text", failure.toString());
            failures.add(one);
        }
        named.put("failures", failures);
        return named;
    }

    private void splitAlgorithm() {
        int slash = algorithm == null ? -1 : algorithm.indexOf('/');
        if (slash >= 0) {
            collective = new CollectiveName().convert(algorithm.substring(0, slash));
            algorithm = algorithm.substring(slash + 1);
        }
    }

    private ParameterException unknownAlgorithm(String lister) {
        return wrong("no algorithm" + (collective == null ? "" : " of " + collective.key()) + " is called '" + algorithm
            + "'; " + lister + " lists those of a collective");
    }

    /** The algorithms of the name that is given; none if all are meant. */
    private List<Algorithm> requireKnown() {
        List<Algorithm> known = new ArrayList<>();
        if (algorithm == null) {
            return known;
        }
        for (Algorithm entry : collective == null ? Catalogue.all() : Catalogue.of(collective)) {
            if (entry.name().equals(algorithm)) {
                known.add(entry);
            }
        }
        if (known.isEmpty()) {
            throw unknownAlgorithm("brigade explain");
        }
        return known;
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}

package org.brigade.cli.tune;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import mpi.spi.Collective;
import org.brigade.cli.device.DeviceJob;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.MachineLoad;
import org.brigade.cli.shared.MeasuringBar;
import org.brigade.nativ.UserFolders;
import org.brigade.select.MemorySpace;
import org.brigade.select.Settings;
import org.brigade.tuned.TunedTable;

/**
 * {@code brigade tune --space host}: measures job after job on this machine, and writes the table of each number of
 * ranks when its job has ended. An older table stays until then.
 */
final class HostTuning {
    /** Begins a line of a rank that is a rule. */
    static final String RULE = "rule ";

    private final List<String> javaOptions;
    private final PrintWriter out;
    private final PrintWriter err;

    HostTuning(List<String> javaOptions, PrintWriter out, PrintWriter err) {
        this.javaOptions = javaOptions;
        this.out = out;
        this.err = err;
    }

    /** Powers of two below the number of processors, and that number. */
    static List<Integer> ranks(int processors) {
        TreeSet<Integer> ranks = new TreeSet<>();
        for (int power = 2; power < processors; power *= 2) {
            ranks.add(power);
        }
        ranks.add(Math.max(2, processors));
        return List.copyOf(ranks);
    }

    /**
     * The settings that already force an algorithm of these collectives, or a part of it: what is measured would not be
     * the default.
     */
    static String forced(Settings settings, String operations) {
        StringBuilder forced = new StringBuilder();
        for (String name : operations.split(",")) {
            Collective collective = collective(name);
            for (String what : MemorySpace.HOST.forced()) {
                String key = collective.key() + what;
                if (settings.get(key) != null) {
                    forced.append(forced.length() == 0 ? "" : ", ").append(settings.origin(key));
                }
            }
        }
        return forced.toString();
    }

    private static Collective collective(String name) {
        for (Collective each : Collective.values()) {
            if (each.key().equals(name)) {
                return each;
            }
        }
        throw new IllegalArgumentException(name);
    }

    /** Measures and writes. @return 0, or the code of the first rank that failed */
    int run(List<Integer> ranks, String operations, String sizes, double seconds) {
        requireFolder();
        String loaded = MachineLoad.complaint("rules that are made now will mislead");
        if (loaded != null) {
            err.println("brigade tune: " + loaded);
            err.flush();
        }
        for (int each : ranks) {
            int code = run(each, operations, sizes, seconds / ranks.size());
            if (code != 0) {
                return code;
            }
        }
        return 0;
    }

    /** Before anything is measured. */
    private static void requireFolder() {
        Path folder = TunedTable.folder();
        String wrong = folder == null ? "this user has no home folder for tables"
            : UserFolders.complaint(folder, true);
        if (wrong != null) {
            throw new BenchException(wrong + "; set HOME or XDG_CONFIG_HOME to a folder of yours");
        }
    }

    private int run(int ranks, String operations, String sizes, double seconds) {
        List<String> options = new ArrayList<>(javaOptions);
        options.add("-Dbrigade.tuning=none");
        StringBuilder rules = new StringBuilder();
        int code;
        try (MeasuringBar bar = new MeasuringBar(ranks + " ranks", " sizes", out)) {
            code = DeviceJob.run(ranks, options, List.of(HostTuneRank.class.getName(), operations, sizes,
                String.format(Locale.ROOT, "%.1f", seconds)), line -> {
                    if (line.startsWith(RULE)) {
                        rules.append(line, RULE.length(), line.length()).append('\n');
                    } else {
                        bar.take(line);
                    }
                });
        }
        if (code == 0) {
            write(ranks, rules.toString());
        }
        return code;
    }

    private void write(int ranks, String rules) {
        try {
            Path file = TunedTable.write(ranks,
                "measured " + LocalDate.now(ZoneOffset.UTC) + " by brigade tune with " + ranks + " ranks", rules);
            out.println("Jobs of " + ranks + " ranks on this machine now follow " + file + ": "
                + (rules.isEmpty() ? "no rule, as nothing was clearly faster than the default"
                    : rules.lines().count() + (rules.lines().count() == 1 ? " rule" : " rules")));
            rules.lines().forEach(rule -> out.println("  " + rule));
            out.flush();
        } catch (IOException e) {
            throw new BenchException("the table for jobs of " + ranks + " ranks cannot be written: " + e.getMessage()
                + "; see that only you can write to the folder, or set XDG_CONFIG_HOME to one of yours");
        }
    }
}

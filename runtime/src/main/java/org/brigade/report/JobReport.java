package org.brigade.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mpi.spi.release.Release;
import org.brigade.assembly.Parts;
import org.brigade.bootstrap.CoreShare;
import org.brigade.bootstrap.Job;
import org.brigade.bootstrap.MachineRanks;
import org.brigade.bootstrap.Nodes;
import org.brigade.probe.CompiledCode;
import org.brigade.probe.SharedMemory;
import org.brigade.probe.SingleCopy;
import org.brigade.select.Settings;
import org.brigade.select.TuningException;
import org.brigade.select.TuningRule;
import org.brigade.select.TuningTable;
import org.brigade.setting.Portable;
import org.brigade.setting.Setting;
import org.brigade.topology.system.SystemFiles;
import org.brigade.transport.Endpoint;
import org.brigade.transport.Fabric;

/** What was chosen for a job, why, and what costs speed: the facts that rank 0 has at the end of MPI.Init. */
public final class JobReport {
    public static final String SETTING = "report";
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");
    private static final String ARCHIVE = ".jsa";
    /** Bytes of /dev/shm that a job with windows should find. */
    private static final long ENOUGH_FREE = 64 << 20;

    private final Settings settings;
    private final Job job;
    private final Report report;

    public JobReport(Settings settings, Job job) {
        this.settings = settings;
        this.job = job;
        this.report = new Report("what was chosen for this job (brigade.report=" + settings.get(SETTING) + ")");
    }

    /** Who runs where, and by what the ranks reach each other. */
    public void joined(Endpoint endpoint) {
        Nodes nodes = endpoint.nodes();
        report.line("job", job.size() + (job.size() == 1 ? " rank" : " ranks") + (nodes == null ? " on one node"
            : " on " + nodes.count() + " nodes, " + job.localSize() + " on this one") + ", "
            + (job.launcher().equals("none") ? "without a launcher" : "started by " + job.launcher()) + "; Brigade "
            + Release.number() + ", Java " + Runtime.version());
        report.line("settings", given(settings.given()));
        if (settings.isOn("check")) {
            report.costs("brigade.check is on", "each collective call waits for all ranks first",
                "leave it out when the program is right");
        }
        if (job.size() > 1) {
            SharedMemory memory = SharedMemory.here();
            report.line("within a node", Parts.load().transport(job).name() + " in " + SharedMemory.place() + ": "
                + memory.words());
            told(memory);
        }
        if (nodes != null) {
            report.line("between nodes", endpoint.fabric() + ", "
                + (settings.get("fabric") == null ? "the first that serves this job" : "as brigade.fabric says")
                + (endpoint.speed() == null ? "" : "; " + endpoint.speed()));
            for (Fabric fabric : Parts.load().fabrics()) {
                String reason = fabric.name().equals(endpoint.fabric()) ? null : unfit(fabric);
                if (reason != null) {
                    report.line("", "not " + fabric.name() + ": " + reason);
                }
            }
        }
    }

    /** Without what the launcher sets. */
    static String given(List<String> settings) {
        List<String> given = new ArrayList<>(settings);
        for (String[] variable : Setting.variables()) {
            given.removeIf(each -> variable[1].startsWith("Set by ")
                && each.startsWith(Setting.variable(variable[0]) + "="));
        }
        return given.isEmpty() ? "none" : String.join(" ", given);
    }

    private String unfit(Fabric fabric) {
        try {
            return fabric.unfit(job);
        } catch (TuningException wrong) {
            return wrong.getMessage();
        }
    }

    void told(SharedMemory memory) {
        if (Portable.ON) {
            report.costs("portable mode: Java alone", "copies, sums and waits are slower (docs/laptops.md)",
                "run on Linux without brigade.portable");
            return;
        }
        if (!memory.isMemory()) {
            report.costs("/dev/shm is of type " + memory.type(),
                "the kernel may write the messages to a disk, and reads of a page may wait for it",
                "mount -t tmpfs -o size=1g,mode=1777 tmpfs /dev/shm");
        } else if (memory.free() < ENOUGH_FREE) {
            report.costs("/dev/shm has " + (memory.free() >> 20) + " MiB left", "larger windows end with an error",
                SharedMemory.LARGER);
        }
    }

    /** What copies and reduces. */
    public void copies(CompiledCode code, SingleCopy single) {
        report.line("compiled code", code.words());
        if (!code.loaded()) {
            report.costs("the compiled library is not loaded", code.cost(), code.cure());
        }
        if (job.localSize() > 1) {
            report.line("single copy", single.words());
            if (!single.available()) {
                report.costs("no single copy", SingleCopy.COST, single.cure());
            }
        }
    }

    /**
     * The ranks' processors.
     *
     * @param ranks of this machine; null if they are not known
     * @param cores this rank's share
     * @param places of this rank and its JVM's other threads, in words
     * @param waiting how this rank waits, in words
     */
    public void processors(MachineRanks ranks, CoreShare cores, String places, String waiting) {
        if (ranks != null) {
            report.line("processors", ranks.count() + (ranks.count() == 1 ? " rank here, " : " ranks here, ") + ranks);
        }
        report.line("rank 0", "on " + places + "; has " + waiting);
        int processors = ranks == null ? 0 : ranks.processors();
        if (ranks != null && processors > 0 && ranks.count() > processors) {
            report.costs(
                ranks.count() + " ranks share " + processors + (processors == 1 ? " processor" : " processors"),
                "they take turns, and each message to a rank that has no processor waits for the kernel",
                "start at most " + processors + (processors == 1 ? " rank" : " ranks")
                    + " here, or give the job more processors (srun --cpus-per-task, docker --cpuset-cpus, taskset)");
        } else if (cores == CoreShare.SHARED) {
            report.costs("rank 0 shares its processor with other ranks",
                "they take turns, and each message waits for the kernel",
                "bind each rank to a processor of its own (mpjrun --bind-to core, mpirun --bind-to core)");
        } else if (cores == CoreShare.OWN && job.size() > 1) {
            report.costs("no processor is left for the JVMs' compilers and collectors",
                "while they run, a rank stands still, and so do all that wait for it",
                "leave one processor for two ranks: fewer ranks here, or more processors");
        }
    }

    /**
     * What chooses the algorithms.
     *
     * @param table that decides for all ranks together
     * @param tuned the rules of brigade tune among them; null if there are none
     * @param profile of this machine's wires; null if there is none
     */
    public void algorithms(TuningTable table, TuningTable tuned, Path profile) {
        report.line("algorithms", table.source() + ", " + table.rules().size() + " rules" + newest(table));
        if (job.size() > 1) {
            report.line("", tuned != null ? "first of them " + tuned.source() + ", " + tuned.rules().size()
                + " rules for such jobs" + newest(tuned)
                : settings.get("tuning") != null ? "brigade.tuning names it"
                    : "no table of brigade tune is for such jobs (brigade tune "
                        + (job.onOneNode() ? "--np " + job.size() : "--nodes") + " makes one)");
            report.line("topology", profile == null ? "no profile: rings and chains follow caches, sockets and nodes"
                : "profile " + profile + age(profile) + ": rings and chains follow it");
        }
    }

    private static String newest(TuningTable table) {
        String newest = "";
        for (TuningRule rule : table.rules()) {
            Matcher date = DATE.matcher(rule.provenance());
            if (date.find() && date.group().compareTo(newest) > 0) {
                newest = date.group();
            }
        }
        return newest.isEmpty() ? ""
            : ", the newest of " + newest + days(ChronoUnit.DAYS.between(LocalDate.parse(newest), LocalDate.now()));
    }

    private static String age(Path file) {
        try {
            return days(ChronoUnit.DAYS.between(Files.getLastModifiedTime(file).toInstant(), Instant.now()));
        } catch (IOException e) {
            return "";
        }
    }

    private static String days(long days) {
        return days < 1 ? "" : days == 1 ? " (1 day old)" : " (" + days + " days old)";
    }

    /** Where this JVM has Brigade's classes from. */
    public void classes() {
        classes(new SystemFiles(Path.of("/")).text("proc/self/maps"));
    }

    void classes(String maps) {
        List<String> archives = new ArrayList<>();
        for (String line : maps.split("\n")) {
            String file = line.substring(line.lastIndexOf(' ') + 1);
            String name = file.substring(file.lastIndexOf('/') + 1);
            boolean own = (name.endsWith(ARCHIVE) || name.endsWith(".aot")) && !name.startsWith("classes");
            if (own && !archives.contains(file)) {
                archives.add(file);
            }
        }
        report.line("class archive", archives.isEmpty() ? "none" : String.join(", ", archives));
        if (archives.isEmpty()) {
            report.costs("no class archive", "each start loads and verifies Brigade's classes one by one",
                "start ranks by bin/mpjrun, or by bin/mpjava behind mpirun and srun");
        }
    }

    @Override
    public String toString() {
        return report.toString();
    }
}

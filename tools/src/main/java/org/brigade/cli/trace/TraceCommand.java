package org.brigade.cli.trace;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.MpjrunLine;
import org.brigade.cli.shared.SubCommand;
import org.brigade.launch.RankProcesses;
import org.brigade.launch.options.LaunchOptions;
import org.brigade.recording.TraceFolder;
import org.brigade.simulate.wiring.NamedWirings;
import org.brigade.simulate.wiring.RoutingModel;
import org.brigade.trace.ChromeTrace;
import org.brigade.trace.JobTrace;
import org.brigade.trace.TracePicture;
import org.brigade.trace.TraceReader;
import org.brigade.trace.TraceReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code brigade trace}: runs a program with recording on all ranks, and shows what ran and who waited for whom. */
@Command(name = "trace", mixinStandardHelpOptions = true,
    description = "Runs a program as mpjrun does, with recording on all ranks, and writes into FOLDER: trace.json for"
        + " Perfetto (ui.perfetto.dev) and chrome://tracing, trace.svg, and trace.txt, which is printed too.",
    footer = {"", "  brigade trace -np 4 -cp classes App 1000",
        "  brigade trace --launcher 'mpirun -np 4' -cp classes App 1000",
        "  mpirun -np 4 mpjava -Dbrigade.trace=FOLDER -cp classes App 1000; brigade trace --from FOLDER"})
public final class TraceCommand extends SubCommand implements Callable<Integer> {
    @Mixin
    private MpjrunLine line;

    @Option(names = "--out", paramLabel = "FOLDER",
        description = "Where the recordings and the three files go (default: ${DEFAULT-VALUE}).",
        defaultValue = "brigade-trace")
    private Path out;

    @Option(names = "--from", paramLabel = "FOLDER", description = "Runs nothing: reads the recordings of this folder.")
    private Path from;

    @Option(names = "--launcher", paramLabel = "COMMAND",
        description = "Starts the ranks by this command, such as 'mpirun -np 4', instead of mpjrun's way. The nodes"
            + " must share the folder.")
    private String launcher;

    @Option(names = "--threshold", paramLabel = "US", defaultValue = "0",
        description = "Leaves out stages of schedules that take fewer microseconds (default: ${DEFAULT-VALUE})."
            + " Bytes of links and waits then lack those stages.")
    private int threshold;

    @Option(names = "--topology", paramLabel = "NAME",
        description = "The machine on which the collectives are simulated, as in brigade simulate (default: ideal with"
            + " as many ranks).")
    private String topology;

    @Override
    public Integer call() {
        if ((from == null) == line.words.isEmpty()) {
            throw wrong("name a program, as in: brigade trace -np 4 -cp classes App; or --from FOLDER");
        }
        if (threshold < 0) {
            throw wrong("--threshold must be 0 or more");
        }
        Path folder = from == null ? out : from;
        int code = from == null ? run(folder.toAbsolutePath()) : 0;
        try {
            show(TraceReader.read(folder), folder);
        } catch (IllegalArgumentException e) {
            throw new BenchException(e.getMessage());
        }
        return code;
    }

    /** Runs the program; its exit code. */
    private int run(Path folder) {
        try {
            TraceFolder.at(folder);
            try (Stream<Path> old = Files.list(folder)) {
                for (Path file : old.filter(each -> each.getFileName().toString().matches("rank-\\d+\\.jfr"))
                    .toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new BenchException("--out: " + folder + " cannot be written (" + e + "); name another folder");
        }
        List<String> whole = new ArrayList<>(
            List.of("-Dbrigade.trace=" + folder, "-Dbrigade.trace.threshold=" + threshold));
        whole.addAll(line.words);
        if (launcher != null) {
            return runBy(launcher, whole);
        }
        List<String> settings = List.copyOf(whole.subList(0, 2));
        for (int at = whole.size() - 2; at > 0; at--) {
            if (whole.get(at).equals(":")) { // the next program of the job
                whole.addAll(at + 1, settings);
            }
        }
        LaunchOptions options = LaunchOptions.parse(whole.toArray(new String[0]));
        return RankProcesses.run(options);
    }

    private static int runBy(String launcher, List<String> line) {
        String home = System.getProperty("brigade.launch.home");
        if (home == null) {
            throw new BenchException("--launcher needs bin/mpjava; start this command by bin/brigade");
        }
        List<String> command = new ArrayList<>(List.of(launcher.trim().split("\\s+")));
        command.add(home + File.separator + "bin" + File.separator + "mpjava");
        command.addAll(line);
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new BenchException("--launcher: " + command.get(0) + " does not start (" + e.getMessage()
                + "); name a command that is installed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted while the program ran");
        }
    }

    private void show(JobTrace trace, Path folder) {
        String name = topology == null ? "ideal:" + trace.size() : topology;
        RoutingModel wiring = NamedWirings.find(name);
        String report = TraceReport.of(trace, name, wiring);
        try {
            TraceFolder.at(folder);
            TraceFolder.put(folder, "trace.json", file -> {
                try (Writer json = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
                    ChromeTrace.write(trace, json);
                }
            });
            TraceFolder.put(folder, "trace.svg",
                file -> Files.writeString(file, TracePicture.draw(trace, name, wiring)));
            TraceFolder.put(folder, "trace.txt", file -> Files.writeString(file, report));
        } catch (IOException e) {
            throw new BenchException(folder + " cannot be written (" + e + "); name another folder by --out");
        }
        PrintWriter printed = out();
        printed.print(report);
        printed.println();
        printed.println("written: " + folder.resolve("trace.json") + " (open it at ui.perfetto.dev), "
            + folder.resolve("trace.svg") + ", " + folder.resolve("trace.txt"));
        printed.flush();
    }
}

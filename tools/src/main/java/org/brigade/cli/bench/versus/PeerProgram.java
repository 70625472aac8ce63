package org.brigade.cli.bench.versus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.SizeList;

/** Another library's benchmark: a command that prints rows for {@link BenchRow#parse}. */
public final class PeerProgram implements PeerBenchmark {
    /** The name of a peer that the user gave as a command line. */
    static final String COMMAND_LINE = "peer";

    private final String name;
    private final String version;
    private final String binding;
    private final List<List<String>> commands;
    private final PeerEnvironment environment;
    private final PeerFolder folder;
    private final String cure;

    /**
     * @param commands that are run in order and together measure everything once
     * @param binding how its ranks are bound, in words; empty if it is not known
     * @param folder where the program runs, which it deletes at the end; null: the present folder
     * @param cure what to do if the command fails
     */
    PeerProgram(String name, String version, String binding, List<List<String>> commands,
        PeerEnvironment environment, PeerFolder folder, String cure) {
        this.name = name;
        this.version = version;
        this.binding = binding;
        this.commands = commands;
        this.environment = environment;
        this.folder = folder;
        this.cure = cure;
    }

    /**
     * A shell's command line. Replaces {sizes}, {max} (the largest size), {ops}, {np}, {fresh} and {cold} in it. If it
     * has neither {sizes} nor {max}, the sizes are appended.
     */
    public static PeerProgram ofShell(String line, BenchJob job) {
        String placed = line.contains("{sizes}") || line.contains("{max}") ? line : line + " {sizes}";
        List<List<String>> commands = new ArrayList<>();
        for (BenchJob start : job.starts()) {
            commands.add(List.of("/bin/sh", "-c", filled(placed, start)));
        }
        return new PeerProgram(COMMAND_LINE, filled(placed, job), "", commands, PeerEnvironment.UNCHANGED, null,
            "run it by itself to see why");
    }

    private static String filled(String line, BenchJob job) {
        long most = 0;
        for (long size : SizeList.parse(job.sizes())) {
            most = Math.max(most, size);
        }
        return line.replace("{sizes}", job.sizes()).replace("{max}", Long.toString(most))
            .replace("{ops}", job.operations()).replace("{np}", Integer.toString(job.ranks()))
            .replace("{fresh}", job.word()).replace("{cold}", job.word());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public String binding() {
        return binding;
    }

    List<List<String>> commands() {
        return commands;
    }

    /** Its output that is no row is ignored; its standard error goes to ours. */
    @Override
    public void run(Consumer<BenchRow> sink) {
        int[] rows = new int[1];
        for (List<String> command : commands) {
            ProcessBuilder builder = new ProcessBuilder(command);
            environment.apply(builder.environment());
            if (folder != null) {
                builder.directory(folder.path().toFile());
            }
            int code = read(builder, "--vs", command.get(0) + " cannot be started", BenchRow::parse, row -> {
                rows[0]++;
                sink.accept(row);
            });
            if (code != 0) {
                throw new BenchException("--vs: " + words(command) + " exited with code " + code + "; " + cure);
            }
        }
        if (rows[0] == 0) {
            throw new BenchException(
                "--vs: " + words(commands.get(0)) + " printed no line operation,ranks,bytes,microseconds; " + cure);
        }
    }

    private String words(List<String> command) {
        return name.equals(COMMAND_LINE) ? "'" + version + "'" : name + " ('" + String.join(" ", command) + "')";
    }

    @Override
    public void close() {
        if (folder != null) {
            folder.close();
        }
    }

    /**
     * Runs a command and reads what it prints.
     *
     * @param parse makes a row from a line; returns null if the line is no row
     * @param sink takes each row when it is printed
     * @return the command's exit code
     * @throws BenchException if the command cannot be run
     */
    public static <R> int read(List<String> command, String option, String failed, Function<String, R> parse,
        Consumer<R> sink) {
        return read(new ProcessBuilder(command), option, failed, parse, sink);
    }

    private static <R> int read(ProcessBuilder builder, String option, String failed, Function<String, R> parse,
        Consumer<R> sink) {
        Process[] started = new Process[1];
        // There before the process is: who ends this process in the moment of its start waits for it.
        Thread ending = new Thread(() -> {
            synchronized (started) {
                if (started[0] != null) {
                    end(started[0]);
                }
            }
        });
        try {
            synchronized (started) {
                Runtime.getRuntime().addShutdownHook(ending);
                started[0] = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            }
            int code = read(started[0], parse, sink);
            Runtime.getRuntime().removeShutdownHook(ending);
            return code;
        } catch (IllegalStateException e) { // this process is ending
            throw new BenchException(option + ": ended");
        } catch (IOException e) {
            throw new BenchException(option + ": " + failed + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException(option + ": interrupted");
        }
    }

    private static <R> int read(Process process, Function<String, R> parse, Consumer<R> sink)
        throws IOException, InterruptedException {
        process.getOutputStream().close();
        try (BufferedReader lines =
            new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                R row = parse.apply(line);
                if (row != null) {
                    sink.accept(row);
                }
            }
        }
        return process.waitFor();
    }

    /** A peer that went on after the end of this process would disturb what is measured next, and hold its GPUs. */
    private static void end(Process process) {
        List<ProcessHandle> all = process.descendants().toList();
        process.toHandle().destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
    }
}

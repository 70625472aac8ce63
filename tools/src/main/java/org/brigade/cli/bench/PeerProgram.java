package org.brigade.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.brigade.cli.shared.BenchException;
import org.brigade.cli.shared.SizeList;

/** Another library's benchmark: a shell command line that prints rows for {@link BenchRow#parse}. */
final class PeerProgram {
    private final String command;

    /**
     * Replaces {sizes}, {max} (the largest size), {ops} and {np} in the command. If it has neither {sizes} nor {max},
     * the sizes are appended.
     */
    PeerProgram(String command, String sizes, String operations, int ranks) {
        String placed = command.contains("{sizes}") || command.contains("{max}") ? command : command + " {sizes}";
        long most = 0;
        for (long size : SizeList.parse(sizes)) {
            most = Math.max(most, size);
        }
        this.command = placed.replace("{sizes}", sizes).replace("{max}", Long.toString(most))
            .replace("{ops}", operations).replace("{np}", Integer.toString(ranks));
    }

    String command() {
        return command;
    }

    /**
     * Runs the program once and reads its rows. Its other output is ignored; its standard error goes to ours.
     *
     * @throws BenchException if the program cannot be run, fails or prints no row
     */
    List<BenchRow> run() {
        List<BenchRow> rows = new ArrayList<>();
        int code =
            read(List.of("/bin/sh", "-c", command), "--vs", "the shell cannot be started", BenchRow::parse, rows);
        if (code != 0) {
            throw new BenchException(
                "--vs: '" + command + "' exited with code " + code + "; run it by itself to see why");
        }
        if (rows.isEmpty()) {
            throw new BenchException("--vs: '" + command + "' printed no line operation,ranks,bytes,microseconds");
        }
        return rows;
    }

    /**
     * Runs a command and reads what it prints.
     *
     * @param parse makes a row from a line; returns null if the line is no row
     * @return the command's exit code
     * @throws BenchException if the command cannot be run
     */
    static <R> int read(List<String> command, String option, String failed, Function<String, R> parse, List<R> rows) {
        try {
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            process.getOutputStream().close();
            try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    R row = parse.apply(line);
                    if (row != null) {
                        rows.add(row);
                    }
                }
            }
            return process.waitFor();
        } catch (IOException e) {
            throw new BenchException(option + ": " + failed + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException(option + ": interrupted");
        }
    }
}

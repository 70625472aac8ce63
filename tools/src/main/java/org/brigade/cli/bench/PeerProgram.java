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

/** Somebody else's benchmark: a command line for the shell, which prints rows as {@link BenchRow#parse} reads them. */
final class PeerProgram {
    private final String command;

    /**
     * Fills {sizes}, {max} (the largest of them), {ops} and {np} in; sizes are appended if the command does not say
     * where it wants them.
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
     * Runs it once and reads its rows; its other output is passed over, its errors go where ours go.
     *
     * @throws BenchException if it cannot be run, fails or prints no row
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
     * @param parse a row of a line; null for a line that is none
     * @return its exit code
     * @throws BenchException if it cannot be run
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

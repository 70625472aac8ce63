package org.brigade.examples;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.brigade.process.TestJava;

/** Runs an example as the user does: the launcher, and a process for every rank. */
public final class RealRanks {
    /** Short programs do not live to see optimised code. */
    public static final String FEWER_COMPILATIONS = "-XX:TieredStopAtLevel=1";

    private static final int SECONDS = 180;

    private RealRanks() {
    }

    /** Runs the program to its end, which must be a success. Returns the lines that the ranks printed. */
    public static List<String> run(int ranks, Class<?> program, String... arguments)
        throws IOException, InterruptedException {
        return run(Map.of(), true, ranks, program, arguments);
    }

    /**
     * Runs the program to its end.
     *
     * @param environment what the ranks' environment has beside this one's
     * @param succeeds whether it must end with code 0, or must not
     */
    public static List<String> run(Map<String, String> environment, boolean succeeds, int ranks, Class<?> program,
        String... arguments)
        throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(
            List.of("-np", Integer.toString(ranks), FEWER_COMPILATIONS, "-cp", ".", program.getName()));
        line.addAll(List.of(arguments));
        return run(environment, succeeds, Path.of(""), "org.brigade.launch.Launcher", line, List.of());
    }

    /**
     * Runs a command of bin/ to its end.
     *
     * @param folder where it runs
     * @param command its main class
     * @param line its arguments; ranks have the tests' class path, too
     * @param typed the lines of its standard input
     */
    public static List<String> run(Map<String, String> environment, boolean succeeds, Path folder, String command,
        List<String> line, List<String> typed)
        throws IOException, InterruptedException {
        List<String> whole = TestJava.launching(command);
        whole.addAll(line);
        Path output = Files.createTempFile("ranks", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(whole).directory(folder.toAbsolutePath().toFile())
                .redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            try (Writer in = process.outputWriter()) {
                in.write(String.join("", typed.stream().map(each -> each + "\n").toList()));
            }
            String what = String.join(" ", line);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroy();
                fail(what + " has not ended within " + SECONDS + " s; it printed:\n"
                    + Files.readString(output, StandardCharsets.UTF_8));
            }
            String printed = Files.readString(output, StandardCharsets.UTF_8);
            if (process.exitValue() == 0 != succeeds) {
                fail(what + " exited with " + process.exitValue() + " and printed:\n" + printed);
            }
            return printed.lines().toList();
        } finally {
            Files.deleteIfExists(output);
        }
    }
}

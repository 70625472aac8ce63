package org.brigade.junit;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.brigade.launch.Launcher;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.MultipleFailuresError;
import org.opentest4j.TestAbortedException;

/** A job that runs one test, and what became of it. */
final class RankJob {
    /** What a rank may take until its test begins: JVMs start slowly on a busy machine. */
    static final int START_SECONDS = 60;
    /** What a job may take beside its test. */
    private static final int BESIDE_SECONDS = START_SECONDS + 30;
    private static final int ENDING_SECONDS = 15;
    /** Of the output, what a failure shows that no rank has told of. */
    private static final int LAST_LINES = 30;

    private final int ranks;
    private final int seconds;
    private final String[] options;
    private final ArrayDeque<String> lastLines = new ArrayDeque<>();

    RankJob(int ranks, int seconds, String[] options) {
        this.ranks = ranks;
        this.seconds = seconds;
        this.options = options;
    }

    /**
     * Runs the test of this unique id on all ranks; their output goes to this JVM's.
     *
     * @return why it has failed, or been aborted
     */
    Optional<Throwable> run(String id) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("mpi-test");
        try {
            Process process = new ProcessBuilder(command(folder, id)).redirectErrorStream(true).start();
            process.getOutputStream().close();
            Thread output = new Thread(() -> copy(process), "output of ranks");
            output.setDaemon(true);
            output.start();
            boolean ended = false;
            try {
                ended = process.waitFor(seconds + BESIDE_SECONDS, TimeUnit.SECONDS);
            } finally {
                if (!ended) {
                    end(process);
                }
            }
            output.join(TimeUnit.SECONDS.toMillis(ENDING_SECONDS));
            return failure(folder, ended ? "exited with code " + process.exitValue()
                : "had not ended " + BESIDE_SECONDS + " s after the test's limit, and was ended");
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** mpjrun ends its ranks. */
    private static void end(Process process) throws InterruptedException {
        boolean interrupted = Thread.interrupted();
        process.destroy();
        if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void copy(Process process) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(line);
                synchronized (lastLines) {
                    lastLines.add(line);
                    if (lastLines.size() > LAST_LINES) {
                        lastLines.remove();
                    }
                }
            }
        } catch (IOException e) {
            // The job has been ended.
        }
    }

    private List<String> command(Path folder, String id) {
        String path = classPath();
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx64m",
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", path, "-Dbrigade.launch.path=" + path,
            Launcher.class.getName(), "-np", Integer.toString(ranks), "--tag", "-ea"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", path, RankMain.class.getName(), folder.toString(), id,
            Integer.toString(seconds)));
        return command;
    }

    /** That of the tests, and what IDEs and build tools have beside it: JUnit's launcher and engine. */
    private static String classPath() {
        Set<String> path = new LinkedHashSet<>(List.of(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator)));
        for (Class<?> type : List.of(Launcher.class, RankJob.class, LauncherFactory.class, TestEngine.class)) {
            try {
                path.add(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString());
            } catch (URISyntaxException e) {
                throw new IllegalStateException(e);
            }
        }
        return String.join(File.pathSeparator, path);
    }

    /** What mpjrun has said of a rank's end; null if nothing. */
    private String launcherOn(int rank) {
        synchronized (lastLines) {
            return lastLines.stream().filter(line -> line.startsWith("mpjrun: rank " + rank + " of ")).findFirst()
                .orElse(null);
        }
    }

    private Optional<Throwable> failure(Path folder, String end) throws IOException {
        List<Throwable> failures = new ArrayList<>();
        List<Throwable> consequences = new ArrayList<>();
        List<Integer> silent = new ArrayList<>();
        String aborted = null;
        for (int rank = 0; rank < ranks; rank++) {
            Outcome outcome = Outcome.read(folder, rank);
            if (outcome == null) {
                String said = launcherOn(rank);
                if (said == null) {
                    silent.add(rank);
                } else {
                    failures.add(0, new AssertionError(said)); // why others have failed, perhaps
                }
            } else if (outcome.kind() == Outcome.Kind.ABORTED) {
                aborted = "rank " + rank + " of " + ranks + ": " + outcome.text();
            } else if (outcome.kind() != Outcome.Kind.PASSED) {
                (outcome.isConsequence() ? consequences : failures)
                    .add(new RankFailure(rank, ranks, outcome.text(), outcome.where(), outcome.thrown()));
            }
        }
        if (failures.isEmpty()) {
            failures = consequences;
        }
        // Where a rank has failed or died, its end is that of those who wait for it.
        if (failures.isEmpty() && (!silent.isEmpty() || !end.endsWith(" 0"))) {
            String who =
                silent.isEmpty() ? "after the test" : "and ranks " + silent + " have not said what became of it";
            synchronized (lastLines) {
                failures.add(new AssertionError("the job of " + ranks + " ranks " + end + ", " + who
                    + "; its last lines:\n" + String.join("\n", lastLines)));
            }
        }
        if (failures.isEmpty()) {
            return Optional.ofNullable(aborted == null ? null : new TestAbortedException(aborted));
        }
        if (failures.size() == 1) {
            return Optional.of(failures.get(0));
        }
        MultipleFailuresError all =
            new MultipleFailuresError("failed on " + failures.size() + " of " + ranks + " ranks", failures);
        failures.forEach(all::addSuppressed);
        return Optional.of(all);
    }
}

package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.brigade.cli.Brigade;
import org.brigade.launch.HostLauncher;
import org.brigade.process.TestJava;
import org.brigade.transport.shm.RunningJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Real ranks that wait for each other for ever, as others see them. The limit only keeps a failure from lasting. */
@Timeout(300)
@Tag("slow")
@Tag("once")
class JobsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"mpjrun,recv,recv with tag 5", "openmpi,barrier,Barrier number 1"})
    void ranksThatWaitForEachOtherAreNamed(String launcher, String way, String call) throws Exception {
        List<String> command = new ArrayList<>(launcher.equals("mpjrun")
            ? TestJava.mpjrun("-np", "2") : TestJava.behind(HostLauncher.ranks(launcher, 2)));
        command.addAll(List.of("-Dbrigade.stall.report=2", StuckProgram.class.getName(), way));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(directory.resolve("text").toFile());
        builder.environment().putAll(HostLauncher.ENVIRONMENT);
        Process job = builder.start();
        try {
            String key = null;
            String report = "";
            while (!report.contains("cycle: rank 0 waits for rank 1, which waits for rank 0")) {
                assertTrue(job.isAlive(), () -> text());
                Thread.sleep(50);
                key = key == null ? keyOf(job) : key;
                report = key == null ? "" : brigade("jobs", key);
            }
            String line = report.lines().filter(each -> each.startsWith("rank 1 ")).findFirst().orElse("");
            assertTrue(line.matches(".* has waited for \\d+ s in " + call + " of MPI_COMM_WORLD for rank 0"), report);
            assertTrue(brigade("jobs").contains(key + ": 2 of 2 ranks here"), key);
            while (!text().contains("cycle: rank 0 waits for rank 1, which waits for rank 0")) {
                assertTrue(job.isAlive(), () -> text());
                Thread.sleep(50);
            }
            assertEquals(1, text().lines().filter(each -> each.contains("made progress for 2 s")).count(), text());
        } finally {
            job.destroy();
            job.waitFor();
        }
    }

    private String text() {
        try {
            return Files.readString(directory.resolve("text"));
        } catch (java.io.IOException e) {
            return e.toString();
        }
    }

    /** The key of the job whose ranks a launcher has started; null if they are still in Init. */
    private static String keyOf(Process launcher) throws Exception {
        Set<Long> all = launcher.descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
        return RunningJob.ofThisUser().stream()
            .filter(job -> job.ranks().stream().anyMatch(rank -> all.contains(rank.pid()))).map(RunningJob::key)
            .findFirst().orElse(null);
    }

    private static String brigade(String... arguments) {
        CommandLine line = Brigade.commandLine();
        StringWriter out = new StringWriter();
        line.setOut(new PrintWriter(out));
        assertEquals(0, line.execute(arguments));
        return out.toString();
    }
}

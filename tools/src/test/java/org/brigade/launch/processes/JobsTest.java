package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.brigade.cli.Brigade;
import org.brigade.communicator.job.LinkedJob;
import org.brigade.launch.HostLauncher;
import org.brigade.process.TestJava;
import org.brigade.transport.shm.RunningJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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
    private static final String CYCLE = "cycle: rank 0 waits for rank 1, which waits for rank 0";

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"mpjrun,recv,recv with tag 5", "openmpi,barrier,barrier number 1"})
    void ranksThatWaitForEachOtherAreNamed(String launcher, String way, String call) throws Exception {
        List<String> command = new ArrayList<>(launcher.equals("mpjrun")
            ? TestJava.mpjrun("-np", "2") : TestJava.behind(HostLauncher.ranks(launcher, 2)));
        command.addAll(List.of("-Dbrigade.stall.report=2", StuckProgram.class.getName(), way));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(directory.resolve("text").toFile());
        builder.environment().putAll(HostLauncher.ENVIRONMENT);
        Process job = builder.start();
        try {
            String report = reportSaying(CYCLE, job);
            String key = keyOf(job);
            String line = report.lines().filter(each -> each.startsWith("rank 1 ")).findFirst().orElse("");
            assertTrue(line.matches(".* has waited for \\d+ s in " + call + " of MPI_COMM_WORLD for rank 0"), report);
            assertTrue(brigade("jobs").contains(key + ": 2 of 2 ranks here"), key);
            while (!text().contains(CYCLE)) {
                assertTrue(job.isAlive(), () -> text());
                Thread.sleep(50);
            }
            assertEquals(1, text().lines().filter(each -> each.contains("made progress for 2 s")).count(), text());
        } finally {
            job.destroy();
            job.waitFor();
        }
    }

    /** Both ranks of a job wait for the one that they have spawned, which waits for rank 0. */
    @Test
    void ranksOfJoinedJobsThatWaitForEachOtherAreNamed() throws Exception {
        Process job = new ProcessBuilder(
            TestJava.mpjrun("-np", "2", "-Dbrigade.stall.report=2", StuckProgram.class.getName(), "jobs"))
            .redirectErrorStream(true).redirectOutput(directory.resolve("text").toFile()).start();
        try {
            String cycle = "cycle: rank 0 waits for rank 2, which waits for rank 0";
            while (!text().contains("no process of these joined jobs has made progress") || !text().contains(cycle)) {
                assertTrue(job.isAlive(), () -> text());
                Thread.sleep(50);
            }
            assertFalse(text().contains("no rank of this job"), text()); // the other job might compute
            List<String> keys = keysOf(job);
            assertEquals(2, keys.size(), keys::toString);
            String own = keys.get(LinkedJob.isUnion(keys.get(0)) ? 1 : 0);
            String line =
                brigade("jobs", own).lines().filter(each -> each.startsWith("rank 1 ")).findFirst().orElse("");
            assertTrue(line.matches(".* has waited for \\d+ s in recv with tag 5 of MPI_COMM_WORLD \\(spawn\\) for"
                + " process \\d+ of another job"), line);
        } finally {
            job.destroy();
            job.waitFor();
        }
    }

    /** As if a rank ended just when its launcher was about to open the segment: another rank has it open, too. */
    @Test
    void aProcessWhoseFileCannotBeOpenedHidesNoLastCalls() throws Exception {
        Process job = new ProcessBuilder(TestJava.mpjrun("-np", "2", StuckProgram.class.getName(), "recv"))
            .redirectErrorStream(true).redirectOutput(directory.resolve("text").toFile()).start();
        try {
            reportSaying(CYCLE, job);
            long rank = job.children().findFirst().orElseThrow().pid();
            Path folder = Files.createDirectory(segmentOf(rank)); // the segment itself has no name any more
            Process other = new ProcessBuilder("sh", "-c", "exec 3< \"$0\"; echo ready; read end", folder.toString())
                .start();
            try {
                assertEquals("ready", other.inputReader().readLine());
                Files.delete(folder);
                assertEquals(folder, segmentOf(other.pid()));
                List<String> lines = RunningJob.lastCalls(new long[] {other.pid(), rank}, 1000);
                assertTrue(lines.stream().anyMatch(line -> line.contains("in recv")), lines::toString);
            } finally {
                Files.deleteIfExists(folder);
                other.destroyForcibly();
            }
        } finally {
            job.destroy();
            job.waitFor();
        }
    }

    /** What {@code brigade jobs} says of a job, once it says this. */
    private String reportSaying(String part, Process job) throws Exception {
        String report = "";
        while (!report.contains(part)) {
            assertTrue(job.isAlive(), () -> text());
            Thread.sleep(50);
            String key = keyOf(job);
            report = key == null ? "" : brigade("jobs", key);
        }
        return report;
    }

    /** The name that the segment which a process has open had. */
    private static Path segmentOf(long pid) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : files) {
                String target = Files.readSymbolicLink(file).toString();
                if (target.startsWith("/dev/shm/brigade-")) {
                    return Path.of(target.replace(" (deleted)", ""));
                }
            }
        }
        throw new AssertionError("process " + pid + " has no segment");
    }

    private String text() {
        try {
            return Files.readString(directory.resolve("text"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The key of the job whose ranks a launcher has started; null if they are still in Init. */
    private static String keyOf(Process launcher) throws Exception {
        List<String> keys = keysOf(launcher);
        return keys.isEmpty() ? null : keys.get(0);
    }

    private static List<String> keysOf(Process launcher) throws Exception {
        Set<Long> all = launcher.descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
        return RunningJob.ofThisUser().stream()
            .filter(job -> job.ranks().stream().anyMatch(rank -> all.contains(rank.pid()))).map(RunningJob::key)
            .toList();
    }

    private static String brigade(String... arguments) {
        CommandLine line = Brigade.commandLine();
        StringWriter out = new StringWriter();
        line.setOut(new PrintWriter(out));
        assertEquals(0, line.execute(arguments));
        return out.toString();
    }
}

package org.brigade.launch.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.brigade.nightly.Nightly;
import org.brigade.process.EndedJob;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs in the portable mode, as on macOS and Windows: {@code brigade.portable=on} with a temporary folder of their own,
 * whose path has a space and an umlaut. Nothing is left in it.
 */
@Timeout(400)
@Tag("slow")
@Tag("once") // with many processes; the code behind is the same on every JDK
class PortableJobsTest {
    private static final String PROGRAMS = "org.brigade.launch.";
    private static final int SECONDS = 200; // it takes three; a busy machine is no failure

    @TempDir
    Path directory;
    private Path temporary;

    @BeforeEach
    void ownTemporaryFolder() throws IOException {
        temporary = Files.createDirectory(directory.resolve("für Dateien"));
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        List<String> left = files();
        for (int look = 0; look < 600 && !left.isEmpty(); look++) { // ranks may be ending
            Thread.sleep(100);
            left = files();
        }
        assertEquals(List.of(), left);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all.filter(each -> !Files.isDirectory(each)).map(Path::toString).toList();
        }
    }

    private ProcessBuilder job(int ranks, String... line) {
        List<String> command = TestJava.mpjrun("-np", "" + ranks, "-Dbrigade.portable=on",
            "-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of(line));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("LC_ALL", "C.UTF-8"); // else the JVM cannot read the path
        return builder;
    }

    private EndedJob run(int ranks, String... line) throws Exception {
        return EndedJob.of(job(ranks, line), directory.resolve("text"), SECONDS);
    }

    /**
     * More ranks than these machines have processors, threads at first use, wrong arguments: the programs have them.
     */
    @ParameterizedTest
    @CsvSource({"2, DerivedTypesProgram, ''", "3, IntercommProgram, ''", "5, window.WindowProgram, ''",
        "2, files.FilesProgram, .", "2, processes.SpawningProgram, spawn 2", "2, calls.TwoThreadsProgram, 500",
        "2, fuzz.ApiFuzzProgram, 15 400"})
    @Nightly({"2, ObjectsProgram, ''", "2, messages.PersistentProgram, ''", "4, window.WindowProgram, ''",
        "1, processes.SpawningProgram, generations 2", "5, files.FilesProgram, .", "2, fuzz.ApiFuzzProgram, 3 5000"})
    void everyKindOfCallIsRight(int ranks, String program, String arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of(PROGRAMS + program));
        Stream.of(arguments.split(" ")).filter(each -> !each.isEmpty()).forEach(line::add);
        EndedJob ended = run(ranks, line.toArray(new String[0]));
        assertEquals(0, ended.code(), ended.text());
        long right = ended.text().lines()
            .filter(each -> each.endsWith(" right") || each.endsWith(" passed") || each.endsWith(" 0 wrong")).count();
        assertTrue(right >= ranks, ended.text());
    }

    /** The ranks' classes show it: none of Linux's way, none of JNA. */
    @Test
    void aRankUsesNothingOfLinux() throws Exception {
        EndedJob ended = run(2, "-Xlog:class+load:file=" + directory.resolve("classes%p.txt"),
            PROGRAMS + "window.WindowProgram");
        assertEquals(0, ended.code(), ended.text());
        try (Stream<Path> logs = Files.list(directory)) {
            List<Path> found = logs.filter(each -> each.getFileName().toString().startsWith("classes")).toList();
            assertEquals(2, found.size());
            for (Path log : found) {
                String loaded = Files.readString(log);
                assertTrue(loaded.contains("org.brigade.process.PortablePlatform "), loaded);
                assertFalse(loaded.contains("LinuxPlatform"), "LinuxPlatform was loaded");
                assertFalse(loaded.contains(" com.sun.jna."), "JNA was loaded");
            }
        }
    }

    @Test
    void aKilledRankEndsTheJob() throws Exception {
        EndedJob ended = run(3, PROGRAMS + "FaultyProgram", "kill", "barrier");
        assertEquals(128 + 9, ended.code(), ended.text());
        assertTrue(ended.text().contains("mpjrun: rank 1 of 3 was killed by signal 9 (SIGKILL)"), ended.text());
        assertTrue(ended.text().contains("after barrier number 1 of MPI_COMM_WORLD"), ended.text());
    }

    @Test
    void ranksEndWithTheirLauncherAndNameIt() throws Exception {
        Path text = directory.resolve("text");
        Process launcher = job(2, PROGRAMS + "FaultyProgram", "sleep", "recv").redirectErrorStream(true)
            .redirectOutput(text.toFile()).start();
        while (launcher.isAlive() && (files().isEmpty() || launcher.children().count() < 2)) {
            Thread.sleep(20);
        }
        List<ProcessHandle> ranks = launcher.children().toList();
        assertEquals(2, ranks.size(), Files.readString(text));
        launcher.destroyForcibly().waitFor();
        for (ProcessHandle rank : ranks) {
            rank.onExit().get(SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void whatIsAbsentIsOneSentence() throws Exception {
        for (String option : List.of("--nodes 2", "--bind-to core")) {
            List<String> line = new ArrayList<>(List.of(option.split(" ")));
            line.add(PROGRAMS + "FaultyProgram");
            EndedJob ended = run(2, line.toArray(new String[0]));
            assertEquals(2, ended.code(), ended.text());
            assertTrue(ended.text().startsWith("mpjrun: " + option.split(" ")[0] + ": this is the portable mode"),
                ended.text());
            assertEquals(1, ended.text().lines().count(), ended.text());
        }
    }
}

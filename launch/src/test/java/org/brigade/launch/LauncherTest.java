package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts the real launcher with real ranks. The time limits only keep a failure from lasting for ever. */
@Timeout(300)
class LauncherTest {
    private static final String PROGRAM = LaunchedProgram.class.getName();

    @TempDir
    Path directory;

    private List<String> starter = List.of();
    private List<String> launcherOptions = List.of();

    private record Ended(int code, List<String> out, String err) {
    }

    private Process start(String... line) throws IOException {
        // A shell's background command ignores SIGINT, and so would all that this test starts.
        List<String> command =
            new ArrayList<>(starter);
        command.addAll(List.of("env", "--default-signal=INT", System.getProperty("java.home") + "/bin/java"));
        command.addAll(launcherOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Launcher.class.getName()));
        command.addAll(Arrays.asList(line));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(directory.resolve("err").toFile());
        builder.redirectOutput(directory.resolve("out").toFile());
        return builder.start();
    }

    private Ended end(Process launcher) throws Exception {
        assertTrue(launcher.waitFor(150, TimeUnit.SECONDS), "the launcher does not end");
        return new Ended(launcher.exitValue(), Files.readAllLines(directory.resolve("out")).stream().sorted().toList(),
            Files.readString(directory.resolve("err")));
    }

    private Ended run(String... line) throws Exception {
        Process launcher = start(line);
        launcher.getOutputStream().close();
        return end(launcher);
    }

    @Test
    void everyRankLearnsWhoItIs() throws Exception {
        Process launcher = start("-np", "3", PROGRAM, "identity");
        Ended job = end(launcher);
        assertEquals(0, job.code(), job.err());
        String key = job.out().get(0).split(" ")[2];
        assertTrue(key.matches("[A-Za-z0-9._-]+"), key);
        for (int rank = 0; rank < 3; rank++) {
            assertEquals(rank + "/3 " + rank + "/3 " + key + " " + launcher.pid(), job.out().get(rank));
        }
        assertEquals("", job.err(), "a good job is silent");
    }

    @Test
    void aUmaskThatTakesThisUsersOwnRightsKeepsNoJobFromStarting() throws Exception {
        starter = List.of("bash", "-c", "umask 777 && exec \"$@\"", "umask");
        Ended job = run("-np", "2", FaultyProgram.class.getName(), "nothing", "nothing");
        assertEquals(0, job.code(), job.err());
        assertEquals(List.of("rank 0 finalized", "rank 1 finalized"), job.out());
    }

    @Test
    void argumentsArriveAsTheyWereGiven() throws Exception {
        assertEquals(List.of("arguments|a b|*|-np|'\"|"),
            run("-np", "1", PROGRAM, "arguments", "a b", "*", "-np", "'\"", "").out());
    }

    @Test
    void aProgramOfMpjExpressFindsItsRankAndDeviceBeforeItsOwnArguments() throws Exception {
        assertEquals(List.of("0|mpjrun|multicore|-np|7", "1|mpjrun|multicore|-np|7"),
            run("-np", "2", "-dev", "multicore", LaunchedMpjProgram.class.getName(), "-np", "7").out());
    }

    @ParameterizedTest
    @CsvSource({"exit 3,3,exited with code 3", "exit 200,200,exited with code 200", "throw,1,exited with code 1",
        "kill KILL,137,was killed by signal 9 (SIGKILL)",
        "kill TERM,143,was killed by signal 15 (SIGTERM)", "kill ALRM,142,was killed by signal 14 (SIGALRM)"})
    void aRankThatFailsEndsTheJobWithItsCodeAndOneLineThatSaysWhichAndWhy(String deed, int code, String reason)
        throws Exception {
        List<String> line = new ArrayList<>(List.of("-np", "4", PROGRAM));
        line.addAll(List.of(deed.split(" ")));
        Ended job = run(line.toArray(new String[0]));
        assertEquals(code, job.code(), job.err());
        List<String> ours = job.err().lines().filter(text -> text.startsWith("mpjrun: ")).toList();
        assertEquals(List.of("mpjrun: rank 1 of 4 " + reason + "; ending the job"), ours);
        assertEquals(deed.equals("throw"), job.err().contains("thrown on purpose"), job.err());
    }

    @Test
    void standardInputGoesToRank0AndTheOthersSeeItsEnd() throws Exception {
        Process launcher = start("-np", "2", PROGRAM, "input");
        launcher.getOutputStream().write("hello\n".getBytes());
        launcher.getOutputStream().close();
        assertEquals(List.of("0:hello", "1:"), end(launcher).out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void aSignalToTheLauncherEndsAllRanks(String signal) throws Exception {
        Process launcher = start("-np", "2", PROGRAM, "wait", directory.toString());
        List<ProcessHandle> ranks = ranks(2);
        new ProcessBuilder("kill", "-" + signal, "" + launcher.pid()).start().waitFor();
        Ended job = end(launcher);
        assertEquals(signal.equals("INT") ? 130 : 143, job.code(), job.err());
        assertAllGone(ranks);
        assertFalse(job.err().contains("mpjrun: rank"),
            "ranks that were ended on purpose are no failures: " + job.err());
    }

    @Test
    void aRankThatDoesNotEndWhenAskedIsKilled() throws Exception {
        Process launcher = start("-np", "2", PROGRAM, "deaf", directory.toString());
        List<ProcessHandle> ranks = ranks(2);
        assertEquals(5, end(launcher).code());
        assertAllGone(ranks);
    }

    private List<ProcessHandle> ranks(int number) throws Exception {
        List<ProcessHandle> ranks = new ArrayList<>();
        for (int rank = 0; rank < number; rank++) {
            Path file = directory.resolve("" + rank);
            while (!Files.exists(file)) {
                Thread.sleep(10);
            }
            // A rank that is gone by now is no longer found, which is as good.
            ProcessHandle.of(Long.parseLong(Files.readString(file))).ifPresent(ranks::add);
        }
        return ranks;
    }

    private static void assertAllGone(List<ProcessHandle> ranks) {
        for (ProcessHandle rank : ranks) {
            assertFalse(rank.isAlive(), () -> "process " + rank.pid() + " outlived its job");
        }
    }

    @Test
    void tagsSayWhichRankWroteALine() throws Exception {
        Ended job = run("--tag", "-np", "2", PROGRAM, "arguments");
        assertEquals(List.of("[0] arguments", "[1] arguments"), job.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--tag"})
    void linesOfSeveralRanksStayWhole(String tag) throws Exception {
        List<String> line = new ArrayList<>(List.of("-np", "4", PROGRAM, "parts"));
        if (!tag.isEmpty()) {
            line.add(0, tag);
        }
        List<String> expected = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            expected
                .addAll(Collections.nCopies(50, (tag.isEmpty() ? "" : "[" + rank + "] ") + (rank + " ").repeat(10)));
        }
        assertEquals(expected, run(line.toArray(new String[0])).out());
    }

    /** Longer than the launcher's memory. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--tag"})
    void aLineOfAnyLengthArrives(String tag) throws Exception {
        List<String> line = new ArrayList<>(List.of("-np", "2", PROGRAM, "long", "20"));
        if (!tag.isEmpty()) {
            line.add(0, tag);
        }
        launcherOptions = List.of("-Xmx16m");
        List<String> out = run(line.toArray(new String[0])).out();
        assertEquals(List.of((tag.isEmpty() ? "" : "[0] ") + "a".repeat(20 << 20),
            (tag.isEmpty() ? "" : "[1] ") + "b".repeat(20 << 20)), out);
    }

    @Test
    void aQuestionIsShownBeforeItsLineEnds() throws Exception {
        Process launcher = start("-np", "2", PROGRAM, "prompt");
        while (!Files.readString(directory.resolve("out")).contains("name? ")) {
            assertTrue(launcher.isAlive());
            Thread.sleep(10);
        }
        launcher.getOutputStream().close();
        assertEquals(0, end(launcher).code());
    }

    @Test
    void aCollectorThatTheEnvironmentChoosesIsNotContradicted() {
        assertTrue(RankCommand.namesCollector("-Xmx1g -XX:+UseG1GC -ea") && RankCommand.namesCollector("-XX:+UseZGC")
            && RankCommand.namesCollector("-XX:+UseX -XX:+UseParallelGC"));
        assertFalse(RankCommand.namesCollector("-XX:+UseNUMA -XX:-UseG1GC -Dx=GC") || RankCommand.namesCollector(""));
    }

    @Test
    void aJarRunsWithBrigadeBeforeIt() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, PROGRAM);
        File jar = directory.resolve("app.jar").toFile();
        new JarOutputStream(Files.newOutputStream(jar.toPath()), manifest).close();
        assertEquals(List.of("arguments|x", "arguments|x"),
            run("-np", "2", "-jar", jar.getPath(), "arguments", "x").out());
    }

    @Test
    void aJobThatCannotStartSaysWhyAndExits2() throws Exception {
        Ended job = run("-np", "0", "App");
        assertEquals(2, job.code());
        assertEquals("mpjrun: -np 0: the number of ranks must be 1 or more, as in -np 4\n", job.err());
    }
}

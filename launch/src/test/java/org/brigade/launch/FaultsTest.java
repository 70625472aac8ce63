package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.brigade.process.SharedFiles;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real processes that die in every way: the job ends, says which rank and why, and leaves nothing. The time limits only
 * keep a failure from lasting for ever.
 */
@Timeout(300)
@Tag("slow")
class FaultsTest {
    private static final String JAVA = System.getProperty("java.home") + "/bin/java";
    private static final int SECONDS = 150; // it takes one; a busy machine is no failure

    @TempDir
    Path directory;

    private final SharedFiles before = new SharedFiles();

    private record Ended(int code, String text) {
    }

    @AfterEach
    void nothingIsLeftInSharedMemory() throws InterruptedException {
        before.assertNothingLeft();
    }

    private static List<String> launcher(String name, int ranks) {
        return switch (name) {
            case "mpjrun" -> TestJava.mpjrun("-np", "" + ranks);
            case "script" -> script(TestJava.behind(HostLauncher.ranks("openmpi", ranks)));
            default -> TestJava.behind(HostLauncher.ranks(name, ranks));
        };
    }

    /** The same ranks below a shell, as behind a script of the user's that does not exec java. */
    private static List<String> script(List<String> line) {
        List<String> command = new ArrayList<>(line);
        command.addAll(line.indexOf(JAVA), List.of("bash", "-c", "\"$@\"; exit $?", "script"));
        return command;
    }

    private Process start(List<String> command) throws IOException {
        ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(directory.resolve("text").toFile());
        builder.environment().putAll(HostLauncher.ENVIRONMENT);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private Ended run(String launcher, int ranks, String program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(launcher(launcher, ranks));
        command.add(program);
        command.addAll(List.of(arguments));
        Process job = start(command);
        if (!job.waitFor(SECONDS, TimeUnit.SECONDS)) {
            job.descendants().forEach(ProcessHandle::destroyForcibly);
            job.destroyForcibly();
            throw new AssertionError("the job does not end: "
                + String.join(" ", command.subList(command.size() - arguments.length, command.size())) + "\n" + text());
        }
        return new Ended(job.exitValue(), text());
    }

    private String text() throws IOException {
        return Files.readString(directory.resolve("text"));
    }

    private static void assertSays(String text, String rankAndWhy) {
        assertTrue(text.lines().anyMatch(line -> line.matches("(?s).*(" + rankAndWhy + ").*")),
            "no line says \"" + rankAndWhy + "\":\n" + text);
        assertFalse(text.contains("finalized"), text);
    }

    private static String reason(String deed) {
        return switch (deed) {
            case "throw" -> "rank 1 of 3 threw java.lang.IllegalStateException";
            case "exit" -> "rank 1 .*exited (without|with code 3)";
            case "kill" -> "rank 1 .*(died|SIGKILL)|signal 9";
            default -> "rank 1 exited without MPI.Finalize";
        };
    }

    /**
     * The others hear of it before its process has ended, and mostly end before it; it is not them that mpjrun names.
     */
    @ParameterizedTest
    @CsvSource({"throw,recv", "exit,bcast", "kill,barrier", "leave,recv", "kill,compute"})
    void aRankThatDiesWhileOthersWaitEndsTheJob(String deed, String where) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(deed, where));
        if (!where.equals("compute")) {
            arguments.add(directory.toString());
        }
        Ended job = run("mpjrun", 3, FaultyProgram.class.getName(), arguments.toArray(new String[0]));
        assertSays(job.text(), reason(deed));
        assertSays(job.text(), "mpjrun: rank 1 of 3 .*");
        assertEquals(deed.equals("exit") ? 3 : deed.equals("kill") ? 128 + 9 : 1, job.code(), job.text());
        assertShowsTheLastCalls(job);
        if (deed.equals("kill")) {
            assertSays(job.text(), "brigade:   ranks? .*1.*after barrier number 1 of MPI_COMM_WORLD.*");
            assertSays(job.text(), "brigade:   ranks? .*: " + (where.equals("compute") ? "after barrier number 1 "
                : where.equals("recv") ? "in recv " : "in " + where + " number 2 ") + "of MPI_COMM_WORLD.*");
        }
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource({"throw,barrier", "throw,bcast", "exit,recv", "exit,barrier", "kill,recv", "kill,bcast",
        "leave,barrier", "leave,bcast"})
    void whateverTheyWaitFor(String deed, String where) throws Exception {
        aRankThatDiesWhileOthersWaitEndsTheJob(deed, where);
    }

    private static void assertShowsTheLastCalls(Ended job) {
        assertEquals(1, job.text().lines().filter(line -> line.startsWith("brigade: the last calls")).count(),
            job.text());
    }

    /** The first rank to notice a death shows them. mpjrun lets it finish, and shows them itself if that rank dies. */
    @ParameterizedTest
    @ValueSource(strings = {"show slowly", "die showing"})
    void theLastCallsAreShownOnceWhateverBecomesOfTheRankThatShowsThem(String where) throws Exception {
        Ended job = run("mpjrun", 3, FaultyProgram.class.getName(), "exit", where);
        assertEquals(3, job.code(), job.text());
        assertShowsTheLastCalls(job);
    }

    /** What that thread meets while the process ends is no reason of its own for the job's end. */
    @Test
    void aRankThatExitsWhileAnotherOfItsThreadsWaitsEndsTheJob() throws Exception {
        Ended job = run("mpjrun", 3, FaultyProgram.class.getName(), "exit within", "recv");
        assertEquals(3, job.code(), job.text());
        assertSays(job.text(), "mpjrun: rank 1 of 3 exited with code 3");
        assertSays(job.text(), reason("exit"));
        assertFalse(job.text().contains("rank 1 of 3, waiting") || job.text().contains("threw"), job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"recv", "barrier"})
    void aRankThatFinalizesWhileOthersWaitForItEndsTheJob(String where) throws Exception {
        Ended job = run("mpjrun", 3, FaultyProgram.class.getName(), "finalize", where);
        assertNotEquals(0, job.code(), job.text());
        assertSays(job.text(),
            "rank [02] of 3, waiting in .*: rank 1 is in MPI.Finalize and has not sent the awaited message");
        assertFalse(job.text().lines().anyMatch(line -> line.matches(".*rank 1 of 3, waiting in \\w+: rank 1 is.*")),
            "it blames itself:\n" + job.text());
        assertSays(job.text(), "mpjrun: rank [02] of 3 exited with code 1.*");
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource({"openmpi,throw", "openmpi,exit", "openmpi,kill", "openmpi,leave", "mpich,throw", "mpich,exit",
        "mpich,kill", "mpich,leave"})
    void aRankThatDiesUnderAnMpisLauncherEndsTheJob(String launcher, String deed) throws Exception {
        Ended job = run(launcher, 3, FaultyProgram.class.getName(), deed, "recv");
        assertNotEquals(0, job.code(), job.text());
        assertFalse(job.text().contains("finalized"), job.text());
        // For the others the launcher's own report suffices.
        if (deed.equals("throw") || deed.equals("leave") && launcher.equals("openmpi")) {
            assertSays(job.text(), reason(deed));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mpjrun", "openmpi", "mpich"})
    void abortsCodeIsTheJobs(String launcher) throws Exception {
        Ended job = run(launcher, 3, FaultyProgram.class.getName(), "abort", "barrier");
        assertEquals(7, job.code(), job.text());
        assertSays(job.text(), "rank 1 of 3 .*abort");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mpjrun", "openmpi", "mpich"})
    void aGoodJobEndsWithNothingToSay(String launcher) throws Exception {
        Ended job = run(launcher, 3, FaultyProgram.class.getName(), "nothing", "nothing");
        assertEquals(0, job.code(), job.text());
        assertEquals(Set.of("rank 0 finalized", "rank 1 finalized", "rank 2 finalized"),
            new TreeSet<>(job.text().lines().toList()));
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource({"mpjrun,sleep", "mpjrun,compute", "mpjrun,count", "openmpi,compute", "script,sleep", "script,count",
        "mpich,compute"})
    void ranksEndWhenTheirLauncherIsKilled(String name, String deed) throws Exception {
        List<String> command = new ArrayList<>(launcher(name, 3));
        command.addAll(List.of(FaultyProgram.class.getName(), deed, directory.toString()));
        Process launcher = start(command);
        List<ProcessHandle> ranks = new ArrayList<>();
        for (int rank = 0; rank < 3; rank += 2) {
            Path file = directory.resolve("" + rank);
            while (!Files.exists(file)) {
                assertTrue(launcher.isAlive(), this::textOrNothing);
                Thread.sleep(10);
            }
        }
        launcher.descendants().filter(each -> each.info().command().orElse("").endsWith("java")).forEach(ranks::add);
        assertEquals(3, ranks.size());
        launcher.destroyForcibly();
        for (ProcessHandle rank : ranks) {
            try {
                rank.onExit().get(SECONDS, TimeUnit.SECONDS);
            } catch (java.util.concurrent.TimeoutException e) {
                ranks.forEach(ProcessHandle::destroyForcibly);
                throw new AssertionError("process " + rank.pid() + " outlived its launcher:\n" + text());
            }
        }
    }

    private String textOrNothing() {
        try {
            return text();
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void theEnvironmentSaysHowLongToWaitForOthersAsThePropertyDoes() throws Exception {
        ProcessBuilder alone = new ProcessBuilder(
            TestJava.command(FaultyProgram.class.getName(), "nothing", "nothing"));
        alone.environment()
            .putAll(java.util.Map.of("BRIGADE_RANK", "0", "BRIGADE_SIZE", "2", "BRIGADE_LOCAL_RANK", "0",
                "BRIGADE_LOCAL_SIZE", "2", "BRIGADE_JOB",
                "alone-" + ProcessHandle.current().pid() + "-" + System.nanoTime(), "BRIGADE_INIT_TIMEOUT", "1"));
        Process rank0 = alone.redirectErrorStream(true).redirectOutput(directory.resolve("alone").toFile()).start();
        boolean ended = rank0.waitFor(SECONDS, TimeUnit.SECONDS);
        rank0.destroyForcibly();
        String said = Files.readString(directory.resolve("alone"));
        assertTrue(ended && said.contains("waited 1 s for rank 1"), said);
    }

    @ParameterizedTest
    @CsvSource({"-Dbrigade.device.tuning=/nonexistent,1,brigade.device.tuning=/nonexistent: the file cannot be read",
        "-Dx=y,2147483647,this version serves at most 8192"})
    void whatCannotBeServedIsASentenceOfInit(String option, String ranks, String expected) throws Exception {
        ProcessBuilder alone = new ProcessBuilder(
            TestJava.command(option, FaultyProgram.class.getName(), "nothing", "nothing"));
        alone.environment().putAll(java.util.Map.of("BRIGADE_RANK", "0", "BRIGADE_SIZE", ranks, "BRIGADE_LOCAL_RANK",
            "0", "BRIGADE_LOCAL_SIZE", ranks, "BRIGADE_JOB", "nonsense"));
        Process rank = alone.redirectErrorStream(true).redirectOutput(directory.resolve("alone").toFile()).start();
        boolean ended = rank.waitFor(SECONDS, TimeUnit.SECONDS);
        rank.destroyForcibly();
        String said = Files.readString(directory.resolve("alone"));
        assertTrue(ended && said.contains("mpi.MPIException") && said.contains(expected), said);
    }

    /** Nobody is left who could remove a name: the shared memory and the file's pointer must have none. */
    @Test
    void aJobThatIsKilledWithItsLauncherWhileItMakesWindowsLeavesNothing() throws Exception {
        List<String> command = new ArrayList<>(launcher("mpjrun", 2));
        command.addAll(List.of(MakingProgram.class.getName(), directory.resolve("data").toString()));
        Process job = start(command);
        List<ProcessHandle> all = List.of();
        try {
            while (text().lines().filter(line -> line.contains("making")).count() < 2) {
                assertTrue(job.isAlive(), text());
                Thread.sleep(20);
            }
        } finally {
            all = job.descendants().toList();
            job.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
        }
        for (ProcessHandle each : all) {
            each.onExit().get();
        }
        job.waitFor();
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(Set.of("data", "text"),
                files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()));
        }
        before.assertNothingLeft();
    }

    @Test
    void whatAJobKilledInInitLeavesTheNextOneRemoves() throws Exception {
        String key = "fault-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        ProcessBuilder alone =
            new ProcessBuilder(TestJava.command(FaultyProgram.class.getName(), "nothing", "nothing"));
        alone.environment().putAll(java.util.Map.of("BRIGADE_RANK", "0", "BRIGADE_SIZE", "2", "BRIGADE_LOCAL_RANK", "0",
            "BRIGADE_LOCAL_SIZE", "2", "BRIGADE_JOB", key));
        Process rank0 = alone.redirectErrorStream(true).redirectOutput(directory.resolve("alone").toFile()).start();
        while (SharedFiles.names().stream().noneMatch(name -> name.contains(key))) {
            assertTrue(rank0.isAlive(), "rank 0 did not wait for rank 1");
            Thread.sleep(5);
        }
        rank0.destroyForcibly().waitFor();
        long left = SharedFiles.names().stream().filter(name -> name.contains(key)).count();
        assertTrue(left <= 1, left + " files of one job");
        assertEquals(0, run("mpjrun", 2, FaultyProgram.class.getName(), "nothing", "nothing").code());
        assertTrue(SharedFiles.names().stream().noneMatch(name -> name.contains(key)), "the next job left it there");
    }

    /** Under mpirun nobody but the ranks knows the job's key. */
    @Test
    void whatRank0LeavesThatIsKilledInInitTheOtherRanksRemove() throws Exception {
        String key = "orphan-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        Process[] ranks = new Process[2];
        try {
            for (int rank = 0; rank < 2; rank++) {
                ProcessBuilder builder = new ProcessBuilder(
                    TestJava.command(FaultyProgram.class.getName(), "nothing", "nothing"));
                builder.environment().putAll(java.util.Map.of("BRIGADE_RANK", "" + rank, "BRIGADE_SIZE", "3",
                    "BRIGADE_LOCAL_RANK", "" + rank, "BRIGADE_LOCAL_SIZE", "3", "BRIGADE_JOB", key));
                ranks[rank] = builder.redirectErrorStream(true)
                    .redirectOutput(directory.resolve("rank" + rank).toFile()).start();
            }
            while (!Files.readString(Path.of("/proc/" + ranks[1].pid() + "/maps")).contains(key)) {
                assertTrue(ranks[0].isAlive() && ranks[1].isAlive(), "they did not wait for rank 2");
                Thread.sleep(5);
            }
            ranks[0].destroyForcibly().waitFor();
            assertTrue(ranks[1].waitFor(SECONDS, TimeUnit.SECONDS), "rank 1 does not hear of it");
            assertTrue(SharedFiles.names().stream().noneMatch(name -> name.contains(key)), "rank 1 left it there");
        } finally {
            ranks[0].destroyForcibly();
            ranks[1].destroyForcibly();
        }
    }

    /**
     * Classes in folders (the program's only, where brigade.jar is there): each takes an open file while it is loaded.
     */
    @Test
    void aRankThatMayOpenTooFewFilesForInitSaysSo() throws Exception {
        String folders = Stream.of(TestJava.CLASS_PATH.split(File.pathSeparator))
            .filter(each -> new File(each).isDirectory() || each.endsWith("/brigade.jar"))
            .collect(Collectors.joining(File.pathSeparator));
        for (int files = 17; files <= 20; files++) {
            List<String> command =
                new ArrayList<>(List.of("bash", "-c", "ulimit -n " + files + " && exec \"$@\"", "few"));
            command.addAll(TestJava.launching("-Dbrigade.launch.path=" + folders, "-Xmx64m",
                Launcher.class.getName(), "-np", "2", "-cp", folders, FaultyProgram.class.getName(), "nothing",
                "nothing"));
            Process job = start(command);
            assertTrue(job.waitFor(SECONDS, TimeUnit.SECONDS), this::textOrNothing);
            String said = text();
            assertTrue(job.exitValue() == 0 || said.contains("ulimit -n"), files + " files: " + said);
            assertTrue(said.lines().filter(line -> line.startsWith("Exception in thread"))
                .allMatch(line -> line.contains("MPIException")), files + " files: " + said);
        }
    }

    /** mpjrun knows the key of the job, and that none of its ranks is left. */
    @Test
    void rank0ThatIsKilledInInitLeavesNothing() throws Exception {
        List<String> command = TestJava.mpjrun("-np", "2", LateProgram.class.getName());
        Process launcher = start(command);
        String key = "-" + launcher.pid() + "-";
        while (launcher.children().filter(FaultsTest::isRank0).noneMatch(rank -> hasOpen(rank, key))) {
            assertTrue(launcher.isAlive(), this::textOrNothing);
            Thread.sleep(5);
        }
        assertTrue(SharedFiles.names().stream().noneMatch(name -> name.contains(key)), "the segment has a name");
        launcher.children().filter(FaultsTest::isRank0).forEach(ProcessHandle::destroyForcibly);
        assertTrue(launcher.waitFor(SECONDS, TimeUnit.SECONDS), this::textOrNothing);
        assertEquals(137, launcher.exitValue(), text());
        assertTrue(SharedFiles.names().stream().noneMatch(name -> name.contains(key)), "a name was left");
    }

    /** Whether a process has the segment of a job open. */
    private static boolean hasOpen(ProcessHandle rank, String key) {
        File[] open = new File("/proc/" + rank.pid() + "/fd").listFiles();
        for (int i = 0; open != null && i < open.length; i++) {
            try {
                String target = Files.readSymbolicLink(open[i].toPath()).toString();
                if (target.startsWith("/dev/shm/") && target.contains(key) && target.endsWith(" (deleted)")) {
                    return true;
                }
            } catch (IOException closed) {
                // It was another file.
            }
        }
        return false;
    }

    /** Whether a process is rank 0, which makes the segment. */
    private static boolean isRank0(ProcessHandle rank) {
        try {
            return Files.readString(Path.of("/proc/" + rank.pid() + "/environ")).contains("BRIGADE_RANK=0\0");
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void everyBadCallIsAnErrorAndWorksWhenItIsPutRight() throws Exception {
        Ended job = run("mpjrun", 2, BadCalls.class.getName());
        assertEquals(0, job.code(), job.text());
        assertEquals(List.of("rank 0 is through", "rank 1 is through"), job.text().lines().sorted().toList());
    }

    @Test
    void whereCallsAreComparedEveryBadCallLeavesTheRanksInStep() throws Exception {
        Ended job = run("mpjrun", 2, "-Dbrigade.check=true", BadCalls.class.getName());
        assertEquals(0, job.code(), job.text());
        assertEquals(List.of("rank 0 is through", "rank 1 is through"), job.text().lines().sorted().toList());
    }
}

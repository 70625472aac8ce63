package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.brigade.launch.Launcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that spawn others, and jobs that meet: real processes, whose folder of ports is empty afterwards. */
@Timeout(400)
@Tag("slow")
class ProcessesTest {
    private static final String JAVA = System.getProperty("java.home") + "/bin/java";
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final int SECONDS = 200; // it takes three; a busy machine is no failure
    private static final int KILLED = 128 + 9;

    @TempDir
    Path directory;
    private final List<Job> jobs = new ArrayList<>();

    /** A job under way, and what it has said so far. */
    private record Job(Process process, Path text) {
        String said() throws IOException {
            return Files.readString(text);
        }

        Job ended(int code) throws Exception {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            assertEquals(code, process.waitFor(), said());
            return this;
        }

        void says(int times, String line) throws IOException {
            assertEquals(times, said().lines().filter(each -> each.endsWith(line)).count(), said());
        }

        /** The rest of the first so many lines that begin so, once they are there. */
        List<String> awaited(int lines, String begin) throws Exception {
            while (process.isAlive() || said().contains(begin)) {
                List<String> found = said().lines().filter(each -> each.startsWith(begin))
                    .map(each -> each.substring(begin.length())).toList();
                if (found.size() >= lines) {
                    return found;
                }
                Thread.sleep(20);
            }
            throw new AssertionError(said());
        }
    }

    @BeforeEach
    void foldersThatOnlyWeCanWriteTo() throws IOException {
        Files.createDirectory(directory.resolve("ports"));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        for (Job job : jobs) {
            job.process.descendants().forEach(ProcessHandle::destroyForcibly);
            job.process.destroyForcibly();
        }
        assertEquals(List.of(), names(directory.resolve("ports").toFile(), ""));
        for (Job job : jobs) {
            assertEquals(List.of(), names(new File("/dev/shm"), "-" + job.process.pid() + "-"));
        }
    }

    private static List<String> names(File folder, String part) {
        List<String> names = new ArrayList<>(List.of(folder.list()));
        names.removeIf(each -> !each.contains(part));
        return names;
    }

    private Job start(String... command) throws IOException {
        Path text = directory.resolve("text" + jobs.size());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(text.toFile());
        builder.environment().put("BRIGADE_PORTS", directory.resolve("ports").toString());
        Job job = new Job(builder.start(), text);
        job.process.getOutputStream().close();
        jobs.add(job);
        return job;
    }

    private static String[] line(List<String> begin, Class<?> program, String... arguments) {
        List<String> line = new ArrayList<>(begin);
        line.add(program.getName());
        line.addAll(List.of(arguments));
        return line.toArray(new String[0]);
    }

    private Job mpjrun(int ranks, Class<?> program, String... arguments) throws IOException {
        return start(line(List.of(JAVA, "-XX:TieredStopAtLevel=1", "-cp", CLASS_PATH, Launcher.class.getName(), "-np",
            "" + ranks, "-cp", CLASS_PATH), program, arguments));
    }

    private Job alone(Class<?> program, String... arguments) throws IOException {
        return start(line(List.of(JAVA, "-XX:TieredStopAtLevel=1", "-cp", CLASS_PATH), program, arguments));
    }

    private Job mpirun(int ranks, Class<?> program, String... arguments) throws IOException {
        String found = null;
        for (String name : new String[] {"mpirun.openmpi", "mpirun"}) {
            found = found == null && new File("/usr/bin/" + name).canExecute() ? "/usr/bin/" + name : found;
        }
        assumeTrue(found != null, "no mpirun here");
        return start(line(List.of(found, "--allow-run-as-root", "--oversubscribe", "-np", "" + ranks, JAVA,
            "-XX:TieredStopAtLevel=1", "-cp", CLASS_PATH), program, arguments));
    }

    // ---- spawn ----

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 3", "2, 1"})
    void parentsAndChildrenAreJoinedAndPartAgain(int parents, int children) throws Exception {
        Job job = mpjrun(parents, SpawningProgram.class, "spawn", "" + children).ended(0);
        job.says(parents, "spawn is right");
        job.says(children, "child is right");
    }

    /** Emulated nodes are on one machine, so their processes can be joined; the settings are alike. */
    @Test
    void aJobOnEmulatedNodesSpawns() throws Exception {
        start(line(List.of(JAVA, "-XX:TieredStopAtLevel=1", "-cp", CLASS_PATH, Launcher.class.getName(), "-np", "2",
            "--nodes", "2", "--fabric", "sisci", "-cp", CLASS_PATH), SpawningProgram.class, "spawn", "2")).ended(0)
            .says(2, "child is right");
    }

    @Test
    void aChildSpawnsAGrandchild() throws Exception {
        mpjrun(1, SpawningProgram.class, "generations", "2").ended(0).says(3, "generations is right");
    }

    @Test
    void severalCommandsMakeOneJob() throws Exception {
        mpjrun(2, SpawningProgram.class, "multiple").ended(0).says(3, "told is right");
    }

    @Test
    void whatCannotBeSpawnedIsAnErrorOnAllRanks() throws Exception {
        mpjrun(2, SpawningProgram.class, "wrong").ended(0).says(2, "wrong is right");
    }

    @Test
    void theDeathOfAChildIsAnErrorOfItsParents() throws Exception {
        mpjrun(2, SpawningProgram.class, "mourn").ended(KILLED).says(2, "mourn is right");
    }

    @Test
    void childrenEndWithTheJobThatHasSpawnedThem() throws Exception {
        mpjrun(1, SpawningProgram.class, "orphans").ended(KILLED);
    }

    @Test
    void nobodyOutlivesTheLauncher() throws Exception {
        Job job = mpjrun(1, SpawningProgram.class, "outlive");
        List<String> pids = job.awaited(2, "pid ");
        job.process.destroyForcibly();
        for (String pid : pids) {
            Optional<ProcessHandle> rank = ProcessHandle.of(Long.parseLong(pid));
            if (rank.isPresent()) {
                rank.get().onExit().get(SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void otherLaunchersRefuseToSpawn() throws Exception {
        alone(SpawningProgram.class, "refused").ended(0).says(1, "refused is right");
        mpirun(2, SpawningProgram.class, "refused").ended(0).says(2, "refused is right");
    }

    // ---- ports ----

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 3"})
    void jobsMeetTenTimesAndLoseNothing(int servers, int visitors) throws Exception {
        Job server = mpjrun(servers, MeetingProgram.class, "serve", "ten times", "10");
        Job visitor = mpjrun(visitors, MeetingProgram.class, "visit", "ten times", "10");
        visitor.ended(0).says(visitors, "visit is right");
        server.ended(0).says(servers, "serve is right");
    }

    @ParameterizedTest
    @ValueSource(strings = {"alone", "mpjrun", "mpirun"})
    void jobsOfAllLaunchersMeet(String launcher) throws Exception {
        Job server = launcher.equals("mpirun") ? mpirun(2, MeetingProgram.class, "serve", "all", "2")
            : launcher.equals("mpjrun") ? mpjrun(2, MeetingProgram.class, "serve", "all", "2")
                : alone(MeetingProgram.class, "serve", "all", "2");
        alone(MeetingProgram.class, "visit", "all", "1").ended(0);
        mpjrun(2, MeetingProgram.class, "visit", "all", "1").ended(0);
        server.ended(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void wrongPortsAndNamesAreErrors(int ranks) throws Exception {
        mpjrun(ranks, MeetingProgram.class, "mistakes", "unheard of").ended(0).says(ranks, "mistakes is right");
    }

    @Test
    void aDeadProcessHoldsNoPortAndNoName() throws Exception {
        Job dead = alone(MeetingProgram.class, "publish", "a name");
        String port = dead.awaited(1, "port ").get(0);
        Job waiting = alone(MeetingProgram.class, "connect", port);
        waiting.awaited(1, "connecting");
        dead.process.destroyForcibly().waitFor();
        waiting.ended(0).says(1, "connect is right");
        alone(MeetingProgram.class, "stale", "a name", port).ended(0).says(1, "stale is right");
    }

    @Test
    void aJobThatEndsWithItsPortOpenTakesItAway() throws Exception {
        Job job = mpjrun(1, MeetingProgram.class, "publish", "a name");
        job.awaited(1, "port ");
        job.process.destroy();
        assertNotEquals(0, job.process.waitFor());
        assertTrue(names(directory.resolve("ports").toFile(), "").isEmpty());
    }
}

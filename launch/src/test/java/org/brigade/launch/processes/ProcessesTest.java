package org.brigade.launch.processes;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.brigade.launch.Launcher;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that spawn others, and jobs that meet: real processes, whose folder of ports is empty afterwards. */
@Timeout(400)
@Tag("once") // with many processes; the code behind is the same on every JDK
class ProcessesTest extends ProcessJobs {
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
        start(
            line(TestJava.mpjrun("-np", "2", "--nodes", "2", "--fabric", "sisci"), SpawningProgram.class, "spawn", "2"))
            .ended(0)
            .says(2, "child is right");
    }

    /** The children run in another directory, by key wdir. */
    @Test
    void childrenElsewhereFindWhatTheirParentsNameByRelativePaths() throws Exception {
        Path here = Path.of("").toAbsolutePath();
        String classes = Arrays.stream(CLASS_PATH.split(File.pathSeparator))
            .map(each -> here.relativize(Path.of(each)).toString()).collect(Collectors.joining(File.pathSeparator));
        Path table = Files.writeString(directory.resolve("mine.table"), "");
        List<String> line = TestJava.launching("-Dbrigade.launch.path=" + classes, Launcher.class.getName(), "-np",
            "1", "-cp", classes, "-Dbrigade.tuning=" + here.relativize(table));
        start(line(line, SpawningProgram.class, "spawn", "1")).ended(0).says(1, "child is right");
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
    void parentsAndTheOtherChildrenGoOnWithoutAChildThatDies() throws Exception {
        Job job = mpjrun(2, SpawningProgram.class, "outlast").ended(KILLED);
        job.says(2, "outlast is right");
        job.says(2, "outlasts is right");
    }

    @Test
    void childrenEndWithTheJobThatHasSpawnedThem() throws Exception {
        mpjrun(1, SpawningProgram.class, "orphans").ended(KILLED);
    }

    @Test
    void nobodyOutlivesTheLauncher() throws Exception {
        Job job = mpjrun(1, SpawningProgram.class, "outlive");
        List<String> pids = job.awaited(2, "pid ");
        job.process().destroyForcibly();
        for (String pid : pids) {
            Optional<ProcessHandle> rank = ProcessHandle.of(Long.parseLong(pid));
            if (rank.isPresent()) {
                rank.get().onExit().get(SECONDS, TimeUnit.SECONDS);
            }
        }
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
    @ValueSource(strings = {"alone", "mpjrun", "mpirun", "hydra"})
    void jobsOfAllLaunchersMeet(String launcher) throws Exception {
        Job server = by(launcher, 2, MeetingProgram.class, "serve", "all", "2");
        alone(MeetingProgram.class, "visit", "all", "1").ended(0);
        mpjrun(2, MeetingProgram.class, "visit", "all", "1").ended(0);
        server.ended(0);
    }

    /** As on two machines, or in two containers, that share a folder. */
    @Test
    void jobsWithoutCommonMemoryAreRefusedOnAllRanks() throws Exception {
        String[] mount = {"unshare", "-m", "sh", "-c", "mount -t tmpfs none /dev/shm && exec \"$@\"", "sh"};
        assumeTrue(new ProcessBuilder("unshare", "-m", "true").start().waitFor() == 0, "no mount namespaces here");
        Job near = mpjrun(2, MeetingProgram.class, "near", "far away");
        List<String> line = new ArrayList<>(List.of(mount));
        line.addAll(List.of(JAVA, "-cp", CLASS_PATH, Launcher.class.getName(), "-np", "2", "-cp", CLASS_PATH));
        Job far = start(line(line, MeetingProgram.class, "far", "far away"));
        far.ended(0).says(2, "far is right");
        near.ended(0).says(2, "near is right");
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
        dead.process().destroyForcibly().waitFor();
        waiting.ended(0).says(1, "connect is right");
        alone(MeetingProgram.class, "stale", "a name", port).ended(0).says(1, "stale is right");
    }

    @Test
    void aJobThatEndsWithItsPortOpenTakesItAway() throws Exception {
        Job job = mpjrun(1, MeetingProgram.class, "publish", "a name");
        job.awaited(1, "port ");
        job.process().destroy();
        assertNotEquals(0, job.process().waitFor());
        assertTrue(names(directory.resolve("ports").toFile(), "").isEmpty());
    }
}

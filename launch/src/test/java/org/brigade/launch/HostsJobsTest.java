package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.brigade.process.EndedJob;
import org.brigade.process.SharedFiles;
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
 * Jobs of several hosts, all of which are this machine: in place of ssh, a script runs the agents here. Real hosts are
 * in {@code HostsClusterTest}.
 */
@Timeout(300)
@Tag("slow")
class HostsJobsTest {
    private static final int SECONDS = 150; // it takes one; a busy machine is no failure
    private static final String PROGRAM = LaunchedProgram.class.getName();
    private static final String AGENT = """
        #!/bin/sh
        host=$1
        shift
        case $host in
            far) echo "ssh: Could not resolve hostname far" >&2; exit 255 ;;
            bare) shift; exec /nowhere/bin/java "$@" ;;
            empty) exec "$1" -cp /nowhere/brigade.jar org.brigade.launch.HostAgent ;;
            old) echo "brigade-host-agent 0.0.9 (build 1)"; cat > /dev/null; exit ;;
            noisy) echo "Welcome to $host" ;;
        esac
        exec "$@"
        """;

    @TempDir
    Path directory;
    private final SharedFiles before = new SharedFiles();
    private Path agent;

    @BeforeEach
    void anAgent() throws IOException {
        agent = Files.writeString(directory.resolve("agent"), AGENT);
        Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void nothingIsLeft() throws InterruptedException {
        before.assertNothingLeft();
    }

    private ProcessBuilder mpjrun(String... words) {
        List<String> line = new ArrayList<>(List.of("--launch-agent", agent.toString()));
        line.addAll(List.of(words));
        return new ProcessBuilder(TestJava.mpjrun(line.toArray(new String[0])));
    }

    private EndedJob run(String... words) throws Exception {
        return EndedJob.of(mpjrun(words), directory.resolve("text"), SECONDS);
    }

    @Test
    void everyRankLearnsWhoItIsOnItsHost() throws Exception {
        EndedJob job = run("-H", "a.invalid:2,noisy:1", "-np", "3", PROGRAM, "identity");
        assertEquals(0, job.code(), job.text());
        List<String> lines = job.text().lines().sorted().toList();
        String key = lines.get(0).split(" ")[2];
        List<String> agents = lines.stream().map(line -> line.split(" ")[3]).toList();
        assertEquals(List.of("0/3 0/2 " + key, "1/3 1/2 " + key, "2/3 0/1 " + key),
            lines.stream().map(line -> line.substring(0, line.lastIndexOf(' '))).toList());
        assertEquals(agents.get(0), agents.get(1));
        assertNotEquals(agents.get(0), agents.get(2));
    }

    /** More ranks than cores, which go round; one has left its input unread. */
    @Test
    void standardInputGoesToRank0AndTheFirstBadCodeIsTheJobs() throws Exception {
        Path input = Files.writeString(directory.resolve("input"), "x".repeat(1 << 20));
        Process job = mpjrun("-H", "a.invalid:4,b.invalid:4", "--map-by", "node", "--tag", PROGRAM, "input")
            .redirectInput(input.toFile()).redirectErrorStream(true).start();
        String text = new String(job.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, job.waitFor(), text);
        assertTrue(text.contains("[0] 0:" + "x".repeat(1 << 20)), () -> text.length() + " bytes");
        assertTrue(text.lines().toList().contains("[7] 7:"), () -> text.length() + " bytes");
        EndedJob bad = run("-H", "a.invalid:2,b.invalid:2", "--map", "0,1,1,0", PROGRAM, "exit", "3");
        assertEquals(3, bad.code(), bad.text());
        assertEquals("mpjrun: rank 1 of 4 exited with code 3; ending the job", bad.text().strip());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "far:1;host far cannot be reached (ssh: Could not resolve hostname far); true' must succeed",
        "bare:1;host bare cannot run;install it there, or set JAVA_HOME",
        "empty:1;host empty has no brigade.jar of this release at the path;copy it to the same path",
        "old:1;host old has Brigade 0.0.9 (build 1), and here it is;give all hosts the same brigade.jar"})
    void aHostThatCannotBeUsedIsNamedWithTheCure(String host, String words, String cure) throws Exception {
        EndedJob job = run("-H", "a.invalid:1," + host, PROGRAM, "identity");
        assertEquals(2, job.code(), job.text());
        assertTrue(job.text().contains(words), job.text());
        assertTrue(job.text().contains(cure), job.text());
        assertEquals(1, job.text().lines().count(), job.text());
    }

    @Test
    void whatCannotBeStartedThereIsNamed() throws Exception {
        EndedJob job = run("-H", "a.invalid,b.invalid", "-wdir", "/nowhere/at all", PROGRAM, "identity");
        assertEquals(2, job.code(), job.text());
        assertTrue(job.text().matches("(?s).*rank [01] of 2 cannot be started on host [ab].invalid: there is no folder"
            + " /nowhere/at all; .*"), job.text());
    }

    /** A job that waits, with its processes. */
    private record Waiting(Process launcher, List<ProcessHandle> processes) {
        void assertAllEnd() throws Exception {
            for (ProcessHandle each : processes) {
                each.onExit().get(SECONDS, TimeUnit.SECONDS);
            }
        }

        ProcessHandle agent() {
            return processes.stream().filter(each -> HostsJobsTest.text(each, "cmdline").contains("HostAgent"))
                .findFirst().orElseThrow();
        }
    }

    private static String text(ProcessHandle process, String file) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid(), file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    private Waiting waiting() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("ranks"));
        Process launcher = mpjrun("-H", "a.invalid:2,b.invalid:2", PROGRAM, "wait", folder.toString())
            .redirectErrorStream(true).redirectOutput(directory.resolve("text").toFile()).start();
        for (int looks = 0; looks < SECONDS * 50 && folder.toFile().list().length < 4; looks++) {
            assertTrue(launcher.isAlive(), Files.readString(directory.resolve("text")));
            Thread.sleep(20);
        }
        return new Waiting(launcher, launcher.descendants().toList());
    }

    @Test
    void aKilledLauncherLeavesNothingOnAnyHostAndNobodySeesTheSecret() throws Exception {
        Waiting job = waiting();
        assertTrue(job.processes().size() >= 6, job.processes()::toString); // two agents, four ranks
        Path file;
        try (Stream<Path> open = Files.list(Path.of("/proc/" + job.agent().pid(), "fd"))) {
            Optional<Path> found = open.filter(each -> {
                try {
                    return Files.readSymbolicLink(each).toString().contains("-secret");
                } catch (IOException closed) {
                    return false;
                }
            }).findFirst();
            file = found.orElseThrow();
        }
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        String secret = Files.readString(file);
        assertEquals(64, secret.length());
        for (ProcessHandle each : job.processes()) {
            assertFalse((text(each, "cmdline") + text(each, "environ")).contains(secret), each::toString);
        }
        assertFalse(text(job.launcher().toHandle(), "environ").contains(secret));
        job.launcher().destroyForcibly();
        job.assertAllEnd();
    }

    @Test
    void aHostThatIsGoneEndsTheJobWithASentence() throws Exception {
        Waiting job = waiting();
        job.agent().destroyForcibly();
        assertTrue(job.launcher().waitFor(SECONDS, TimeUnit.SECONDS));
        String text = Files.readString(directory.resolve("text"));
        assertEquals(128 + 9, job.launcher().exitValue(), text);
        assertTrue(text.matches("(?s).*mpjrun: rank \\d of 4 is lost with its host [ab].invalid, which has closed its"
            + " connection; ending the job.*"), text);
        job.processes().forEach(ProcessHandle::destroyForcibly); // ranks that never call Init watch no agent
        job.assertAllEnd();
    }
}

package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of real processes on emulated nodes with real aggregators, which are killed. */
@Timeout(300)
@Tag("once")
class AggregatorJobsTest {
    private static final int TURNS = 200;

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        for (Process each : started) {
            each.descendants().forEach(ProcessHandle::destroyForcibly);
            each.destroyForcibly();
        }
    }

    private Process start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        started.add(process);
        return process;
    }

    private static BufferedReader lines(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream()));
    }

    private Path secret() throws IOException {
        Path file = directory.resolve("secret");
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, "this is the secret of a test\n");
        }
        return file;
    }

    /** An aggregator; where it listens is the last word of its first line. */
    private Process aggregator(String... options) throws IOException {
        List<String> command = TestJava.command("org.brigade.cli.Brigade", "aggregator", "--listen", "127.0.0.1:0",
            "--secret", secret().toString());
        command.addAll(List.of(options));
        return start(command);
    }

    private static String address(Process aggregator) throws IOException {
        String line = lines(aggregator).readLine();
        assertTrue(line != null && line.contains("tcp:"), line);
        return line.substring(line.indexOf("tcp:") + 4);
    }

    /** Runs a job of 5 ranks on 3 nodes, and does something when a quarter of its turns are done; what it says. */
    private List<String> run(String addresses, Runnable atAQuarter, String... options) throws Exception {
        List<String> command = TestJava.mpjrun("-np", "5", "--nodes", "3", "--map", "0,1,1,2,0",
            "-Dbrigade.fabric=pretended", "-Dbrigade.aggregation=tcp:" + addresses,
            "-Dbrigade.aggregation.secret=" + secret());
        command.addAll(List.of(options));
        command.addAll(List.of(AggregatedProgram.class.getName(), "" + TURNS));
        Process job = start(command);
        List<String> said = new ArrayList<>();
        BufferedReader lines = lines(job);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.add(line);
            if (line.contains("a quarter is done")) {
                atAQuarter.run();
            }
        }
        assertTrue(job.waitFor(150, TimeUnit.SECONDS), "the job does not end");
        assertEquals(0, job.exitValue(), String.join("\n", said));
        assertEquals(5, said.stream().filter(line -> line.contains("has " + TURNS + " right sums")).count(),
            String.join("\n", said));
        return said;
    }

    private static long told(List<String> said, String words) {
        return said.stream().filter(line -> line.contains(words)).count();
    }

    @Test
    void anAggregatorKilledHalfWayCostsNoResultAndOneSentence() throws Exception {
        Process aggregator = aggregator();
        List<String> said = run(address(aggregator), aggregator::destroyForcibly);
        assertEquals(1, told(said, "are not reduced in the network, but by the ordinary schedules: ECONN_TREE"),
            String.join("\n", said));
    }

    @Test
    void soDoesOneOfATree() throws Exception {
        Process root = aggregator();
        String top = address(root);
        Process first =
            aggregator("--parent", top, "--place", "0", "--fault", "loss=0.01,duplicate=0.05,late=0.05,seed=3");
        Process second = aggregator("--parent", top, "--place", "1");
        List<String> said = run(address(first) + "," + address(second), second::destroyForcibly);
        assertEquals(1, told(said, "ECONN_TREE"), String.join("\n", said));
        assertTrue(root.isAlive() && first.isAlive(), "the others serve on");
    }

    @Tag("nightly")
    @Test
    void soDoesOneOfTwoRails() throws Exception {
        Process first = aggregator();
        Process second = aggregator();
        List<String> said = run(address(first) + "+tcp:" + address(second), second::destroyForcibly);
        assertEquals(1, told(said, "ECONN_TREE"), String.join("\n", said));
        assertTrue(first.isAlive(), "the other serves on");
    }

    /** It keeps its connections, but does not answer: found out by the timeout. */
    @Test
    void anAggregatorThatStopsIsFoundOut() throws Exception {
        Process aggregator = aggregator();
        List<String> said = run(address(aggregator), () -> {
            try {
                new ProcessBuilder("kill", "-STOP", "" + aggregator.pid()).start().waitFor();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }, "-Dbrigade.aggregation.timeout=4");
        assertEquals(1, told(said, "no answer for 4 s"), String.join("\n", said));
    }

    @Test
    void aJobWithoutTroubleSaysNothing() throws Exception {
        Process aggregator = aggregator();
        List<String> said = run(address(aggregator), () -> {});
        assertEquals(6, said.size(), String.join("\n", said));
    }
}

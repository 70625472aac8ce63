package org.brigade.launch.window;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.launch.HostLauncher;
import org.brigade.nightly.Nightly;
import org.brigade.process.EndedJob;
import org.brigade.process.SharedFiles;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows in real jobs: on one node, on several, and with ranks that die. */
@Timeout(300)
@Tag("slow")
class WindowJobsTest {
    @TempDir
    Path directory;

    private final SharedFiles before = new SharedFiles();

    @AfterEach
    void nothingIsLeftInSharedMemory() throws InterruptedException {
        before.assertNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(ints = 3)
    void windowsAreRightOnOneNode(int ranks) throws Exception {
        assertRight(ranks, run(launched("" + ranks), Map.of(), WindowProgram.class));
    }

    @Tag("once")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void howeverManyTheRanksAre(int ranks) throws Exception {
        windowsAreRightOnOneNode(ranks);
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource({"4, 2, block", "4, 2, node"})
    @Nightly("2, 2, block")
    void windowsAreRightOnSeveralNodes(String ranks, String nodes, String map) throws Exception {
        List<String> launched = launched(ranks, "--nodes", nodes, "--map", map, "-Dbrigade.fabric=pretended");
        assertRight(Integer.parseInt(ranks), run(launched, Map.of(), WindowProgram.class));
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"openmpi 0,0,1,1", "mpich 0,1,0"})
    @Nightly(delimiter = ' ', value = "openmpi 0,1")
    void windowsAreRightOverTheHostsMpi(String mpi, String nodes) throws Exception {
        int ranks = nodes.split(",").length;
        List<String> command = TestJava.behind(HostLauncher.ranks(mpi, ranks));
        Map<String, String> environment = new java.util.HashMap<>(HostLauncher.ENVIRONMENT);
        environment.put("BRIGADE_EMULATED_NODES", nodes);
        assertRight(ranks, run(command, environment, WindowProgram.class));
    }

    @ParameterizedTest
    @CsvSource({"lock, made", "put, own"})
    void theOthersHearOfARankThatDies(String where, String memory) throws Exception {
        EndedJob job = run(launched("3"), Map.of(), WindowFaultProgram.class, where, memory);
        Set<String> said = new TreeSet<>(job.text().lines().filter(line -> line.startsWith("rank ")).toList());
        assertEquals(Set.of("rank 0 heard of it", "rank 2 heard of it", "rank 0 finalized", "rank 2 finalized"), said,
            job.text());
        assertEquals(128 + 9, job.code(), job.text());
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource({"lock, own", "fence, made", "start, made", "start, own", "wait, made", "wait, own"})
    void whereverTheyWait(String where, String memory) throws Exception {
        theOthersHearOfARankThatDies(where, memory);
    }

    private static List<String> launched(String ranks, String... options) {
        List<String> command = TestJava.mpjrun("-np", ranks);
        command.addAll(List.of(options));
        return command;
    }

    private static void assertRight(int ranks, EndedJob job) {
        assertEquals(ranks, job.text().lines().filter(line -> line.endsWith(": windows are right")).count(),
            job.text());
        assertEquals(0, job.code(), job.text());
    }

    private EndedJob run(List<String> launcher, Map<String, String> environment, Class<?> program, String... arguments)
        throws Exception {
        List<String> command = new ArrayList<>(launcher);
        command.add(program.getName());
        command.addAll(List.of(arguments));
        Path text = directory.resolve("text");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return EndedJob.of(builder, text, 240);
    }
}

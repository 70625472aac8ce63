package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.brigade.nightly.Nightly;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs under the mpirun of Open MPI and of MPICH whose last processes are aggregators; ranks take themselves for those
 * of several nodes (BRIGADE_EMULATED_NODES).
 */
@Timeout(300)
@Tag("once") // jobs of many JVMs
class AggregatorsBesideRanksTest {
    private static final int SECONDS = 100;
    private static final String NOT_REDUCED = "are not reduced in the network";

    @TempDir
    Path directory;

    private record Ended(int code, String text) {
        long told(String words) {
            return text.lines().filter(line -> line.contains(words)).count();
        }
    }

    /** @param map the node of each rank; null: all on one, as they are */
    private Ended run(String mpi, int ranks, String map, String setting, int aggregators, String... options)
        throws Exception {
        List<String> line = TestJava.behind(HostLauncher.ranks(mpi, ranks));
        line.add("-Dbrigade.init.timeout=10");
        if (setting != null) {
            line.add("-Dbrigade.aggregation=" + setting);
        }
        line.addAll(List.of(AggregatedProgram.class.getName(), "20"));
        if (aggregators > 0) {
            line.addAll(List.of(":", "-np", "" + aggregators));
            line.addAll(TestJava.command("org.brigade.cli.Brigade", "aggregator", "--mpi"));
            line.addAll(List.of(options));
        }
        Path text = Files.createTempFile(directory, "job", ".text");
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(text.toFile());
        builder.environment().putAll(HostLauncher.ENVIRONMENT);
        if (map != null) {
            builder.environment().put("BRIGADE_EMULATED_NODES", map);
        }
        Process job = builder.start();
        job.getOutputStream().close();
        if (!job.waitFor(SECONDS, TimeUnit.SECONDS)) {
            job.descendants().forEach(ProcessHandle::destroyForcibly);
            job.destroyForcibly();
            fail("the job does not end: " + String.join(" ", line) + "\n" + Files.readString(text));
        }
        return new Ended(job.exitValue(), Files.readString(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"openmpi", "mpich"})
    void mpirunStartsTheAggregatorWithTheRanks(String mpi) throws Exception {
        Ended job = run(mpi, 3, "0,1,1", "mpi", 1);
        assertEquals(0, job.code(), job.text());
        assertEquals(3, job.told("has 20 right sums"), job.text());
        assertEquals(1, job.told("2 joined here for 2 of 2 nodes (0 = rank 0, 1 = rank 1)"), job.text());
        assertEquals(4, job.text().lines().filter(line -> !line.contains("brigade: aggregator: group")).count(),
            "nothing else is said: " + job.text());
    }

    /** What it refuses proves that it is spoken to. */
    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich")
    void whatItRefusesIsToldOnceAndCostsNoResult(String mpi) throws Exception {
        Ended job = run(mpi, 3, "0,1,2", "mpi:1", 1, "--memory", "1K");
        assertEquals(0, job.code(), job.text());
        assertEquals(3, job.told("has 20 right sums"), job.text());
        assertEquals(1, job.told(NOT_REDUCED), job.text());
        assertTrue(job.text().contains("EQUOTA"), job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich")
    void ofThreeTheLastIsAboveTheOthers(String mpi) throws Exception {
        Ended job = run(mpi, 4, "0,1,2,3", "mpi:3", 3, "--fault", "loss=0.01,duplicate=0.05,late=0.05,seed=5");
        assertEquals(0, job.code(), job.text());
        assertEquals(4, job.told("has 20 right sums"), job.text());
        assertEquals(0, job.told(NOT_REDUCED), job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich")
    void onOneNodeThereIsNothingToDoForIt(String mpi) throws Exception {
        Ended job = run(mpi, 2, null, "mpi", 1);
        assertEquals(0, job.code(), job.text());
        assertEquals(2, job.told("has 20 right sums"), job.text());
        assertEquals(1, job.told("the whole job is on one node"), job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich") // it waits for ten seconds
    void ranksWithoutAnAggregatorAreAnErrorThatSaysHowToStartIt(String mpi) throws Exception {
        Ended job = run(mpi, 3, "0,1", "mpi", 0);
        assertNotEquals(0, job.code(), job.text());
        assertTrue(job.text().contains(
            "the last 1 are aggregators; end the command line with : -np 1 brigade aggregator --mpi"), job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = "mpich")
    @Nightly("openmpi")
    void anAggregatorThatTheRanksDoNotKnowOfIsAnErrorThatSaysSo(String mpi) throws Exception {
        Ended job = run(mpi, 2, "0,1,1", null, 1);
        assertNotEquals(0, job.code(), job.text());
        assertTrue(
            job.text()
                .contains("aggregators, but the ranks do not know; give them -Dbrigade.aggregation=mpi:1"),
            job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = "mpich")
    @Nightly("openmpi")
    void moreAggregatorsThanTheRanksKnowOfAreAnError(String mpi) throws Exception {
        Ended more = run(mpi, 2, "0,1,1", "mpi:1", 2);
        assertNotEquals(0, more.code(), more.text());
        assertTrue(more.text().contains("brigade.aggregation=mpi says that the last 1 are"), more.text());
    }
}

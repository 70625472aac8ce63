package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.brigade.nightly.Nightly;
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
 * Jobs of real processes on two emulated nodes, with DMA carrying what is longer than 16 KiB: right in every mode and
 * whoever dies, and nothing stays behind.
 */
@Timeout(300)
@Tag("once") // jobs of many JVMs
class SisciJobsTest {
    private static final int SECONDS = 150; // it takes two; a busy machine is no failure

    @TempDir
    Path directory;

    private final SharedFiles before = new SharedFiles();

    private record Ended(int code, String text) {
    }

    @AfterEach
    void nothingIsLeftInSharedMemory() throws InterruptedException {
        before.assertNothingLeft();
    }

    private Process start(int ranks, String mode, String fault, String... arguments) throws Exception {
        List<String> command = TestJava.mpjrun("-np", "" + ranks, "--nodes", "2",
            "--fabric", "sisci", "-Dbrigade.sisci.crossover=16K", "-Dbrigade.sisci.ring=256K",
            SisciProgram.class.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(directory.resolve("text").toFile());
        builder.environment().put("BRIGADE_SISCI", "emulated");
        builder.environment().put("BRIGADE_SISCI_MODE", mode);
        builder.environment().put("BRIGADE_SISCI_FAULT", fault);
        Process job = builder.start();
        job.getOutputStream().close();
        return job;
    }

    private Ended run(int ranks, String mode, String fault, String... arguments) throws Exception {
        Process job = start(ranks, mode, fault, arguments);
        if (!job.waitFor(SECONDS, TimeUnit.SECONDS)) {
            job.descendants().forEach(ProcessHandle::destroyForcibly);
            job.destroyForcibly();
            fail("the job does not end:\n" + text());
        }
        return new Ended(job.exitValue(), text());
    }

    private String text() throws Exception {
        return Files.readString(directory.resolve("text"));
    }

    private static void assertGood(int ranks, Ended job) {
        assertEquals(0, job.code(), job.text());
        Set<String> finalized = Stream.iterate(0, rank -> rank + 1).limit(ranks)
            .map(rank -> "rank " + rank + " finalized").collect(Collectors.toCollection(TreeSet::new));
        assertEquals(finalized, new TreeSet<>(job.text().lines().filter(line -> line.endsWith("finalized")).toList()),
            job.text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
        value = {"weak=12,shifted|sequence=retriable@5", "weak=13,timed|''", "aligned=4096|''",
            "weak=14|iommu=broken,address=broken"})
    @Nightly(delimiter = '|', value = {"''|''", "weak=11|''", "timed|''", "''|iommu=broken", "''|address=broken"})
    void allreducesOfFourRanksOnTwoNodesAreRight(String mode, String fault) throws Exception {
        assertGood(4, run(4, mode, fault, "2"));
    }

    @Test
    void aBrokenIommuIsSaidOnceOnEachNode() throws Exception {
        Ended job = run(4, "", "iommu=broken", "1");
        assertGood(4, job);
        List<String> said = job.text().lines().filter(line -> line.contains("registered memory")).toList();
        assertEquals(2, said.size(), job.text());
        for (String node : new String[] {"node 4", "node 8"}) {
            assertEquals(1, said.stream().filter(line -> line.startsWith("brigade: SISCI on " + node + ":")).count(),
                job.text());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"kill|timed", "terminate|weak=22", "exit|''", "throw|weak=24"})
    @Nightly(delimiter = '|', value = {"kill|''", "kill|weak=21", "kill|aligned=4096", "terminate|timed",
        "exit|weak=23", "throw|''"})
    void aRankThatDiesInTheMiddleOfAllreducesByDmaEndsTheJobAndIsNamed(String deed, String mode) throws Exception {
        Ended job = run(4, mode, "", "100000", deed);
        assertNotEquals(0, job.code(), job.text());
        assertFalse(job.text().contains("WRONG"), job.text());
        assertFalse(job.text().contains("finalized"), job.text());
        assertTrue(job.text().lines().anyMatch(
            line -> line.contains("rank 1 ") && line.matches(".*(died|SIGKILL|SIGTERM|exited|killed|threw|signal).*")),
            job.text());
    }

    /** Then nobody but mpjrun is there to remove the adapters' tables. */
    @ParameterizedTest
    @ValueSource(strings = {"", "timed"})
    void ofAJobWhoseRanksAreAllKilledAtOnceNothingIsLeft(String mode) throws Exception {
        Process job = start(4, mode, "", "100000");
        long begin = System.nanoTime();
        while (text().lines().filter(line -> line.contains(" is process ")).count() < 4) {
            assertTrue(job.isAlive() && System.nanoTime() - begin < SECONDS * 1_000_000_000L, this::textOrWhy);
            Thread.sleep(20);
        }
        Set<String> during = before.more();
        assertTrue(during.stream().anyMatch(name -> name.startsWith("brigade-sisci-")),
            "the adapters' tables are elsewhere: " + during);
        List<String> kill = new ArrayList<>(List.of("kill", "-KILL"));
        text().lines().filter(line -> line.contains(" is process "))
            .forEach(line -> kill.add(line.substring(line.lastIndexOf(' ') + 1)));
        assertEquals(0, new ProcessBuilder(kill).start().waitFor());
        assertTrue(job.waitFor(SECONDS, TimeUnit.SECONDS), this::textOrWhy);
        assertNotEquals(0, job.exitValue(), text());
    }

    private String textOrWhy() {
        try {
            return text();
        } catch (Exception e) {
            return e.toString();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "weak=31"})
    void garbageInInboxesEndsTheJobNamingNodeSegmentAndCode(String mode) throws Exception {
        Ended job = run(2, mode, "", "100000", "scribble");
        assertNotEquals(0, job.code(), job.text());
        assertFalse(job.text().contains("WRONG"), job.text());
        assertTrue(job.text().lines().anyMatch(line -> line.matches(
            "rank 0 caught mpi.MPIException: .*rank 1 has .*refused \\(segment"
                + " 0x[0-9a-f]+ of node 4, which node 8 writes: .*SCI_ERR_OUT_OF_RANGE.*")),
            job.text());
    }
}

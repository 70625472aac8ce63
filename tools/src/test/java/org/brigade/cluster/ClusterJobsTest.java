package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import mpi.spi.Collective;
import org.brigade.algorithm.catalogue.Catalogue;
import org.brigade.cli.verify.DialectRank;
import org.brigade.cluster.Cluster.Begun;
import org.brigade.cluster.Cluster.Ended;
import org.brigade.communicator.NodesTrial;
import org.brigade.nightly.Nightly;
import org.brigade.process.TestJava;
import org.brigade.transport.ucx.UcxInventory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs that mpirun starts on several hosts: all that is right on one node is right there, and what goes wrong is said,
 * by an end. Tagged are those that no second JDK needs.
 */
@Timeout(300)
@Tag("slow")
class ClusterJobsTest {
    private static final int SECONDS = 240; // a busy machine is no failure
    private static final String SILENT = "has given no sign of life for 5 s (brigade.mpi.patience)";
    private static final List<String> OVER_UCX = List.of("-Dbrigade.fabric=ucx");
    private static final String EVERYTHING = "collectives messages communicators dialects";

    @TempDir
    Path directory;

    @BeforeAll
    static void hostsArePossible() throws Exception {
        Cluster.assumePossible();
    }

    private static Begun start(Cluster cluster, String mpi, String map, String shape, List<String> properties,
        String mapping, String parts) throws IOException {
        List<String> line = TestJava.behind(List.of("run", "--mpi", mpi, "--map", map, shape), "-Xmx256m");
        line.addAll(properties);
        line.addAll(List.of(NodesTrial.class.getName(), mapping));
        line.addAll(List.of(parts.split(" ")));
        return cluster.start(Map.of(), line.toArray(new String[0]));
    }

    private static Begun start(Cluster cluster, String mpi, List<String> properties, String parts) throws IOException {
        return start(cluster, mpi, "slot", "2x2", properties, "0,0,1,1", parts);
    }

    private static void assertGood(Ended job, int ranks) {
        assertEquals(0, job.code(), job::text);
        for (int rank = 0; rank < ranks; rank++) {
            String line = "rank " + rank + ": all is right";
            assertTrue(job.lines().contains(line), () -> "no line \"" + line + "\":\n" + job.text());
        }
    }

    @Test
    void everythingIsRightOnFourNodes() throws Exception {
        assertRightOnFourNodes("openmpi", "1,2,2,4,1,3,3,3", "0,1,1,3,0,2,2,2", EVERYTHING);
    }

    @Tag("once")
    @Test
    void everythingIsRightOnFourNodesThatUcxJoins() throws Exception {
        assumeUcx();
        assertRightOnFourNodes("openmpi", "1,2,2,4,1,3,3,3", "0,1,1,3,0,2,2,2", OVER_UCX, EVERYTHING);
    }

    private static void assumeUcx() {
        String missing = UcxInventory.missing();
        assumeTrue(missing == null, missing);
    }

    @Tag("nightly")
    @Test
    void everythingIsRightOnFourNodesUnderMpich() throws Exception {
        assertRightOnFourNodes("mpich", "1,2,2,4,1,3,3,3", "0,1,1,3,0,2,2,2", EVERYTHING);
    }

    @Tag("once")
    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = "mpich slot 0,0,1,1,2,2,3,3")
    @Nightly(delimiter = ' ', value = {"openmpi node 0,1,2,3,0,1,2,3", "openmpi slot 0,0,1,1,2,2,3,3",
        "mpich node 0,1,2,3,0,1,2,3"})
    void ranksMayBeLaidOnNodesByTheSlotOrInTurn(String mpi, String map, String mapping) throws Exception {
        assertRightOnFourNodes(mpi, map, mapping, "communicators dialects");
    }

    private void assertRightOnFourNodes(String mpi, String map, String mapping, String parts) throws Exception {
        assertRightOnFourNodes(mpi, map, mapping, List.of(), parts);
    }

    private void assertRightOnFourNodes(String mpi, String map, String mapping, List<String> properties, String parts)
        throws Exception {
        Cluster.assumeInstalled(mpi);
        try (Cluster cluster = Cluster.of(4, directory)) {
            assertGood(
                Cluster.end(start(cluster, mpi, map, "4x2", properties, mapping, parts), SECONDS),
                8);
        }
    }

    /** Whose MPI carries the messages makes no difference to algorithms. */
    @Tag("once")
    @Test
    void hierarchicalAlgorithmsAreRightOnNodesOfAnySize() throws Exception {
        Cluster.assumeInstalled("openmpi");
        List<String> properties = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            if (Catalogue.of(collective).stream().anyMatch(algorithm -> algorithm.name().equals("hierarchical"))) {
                properties.add("-Dbrigade." + collective.key() + ".algorithm=hierarchical");
            }
        }
        try (Cluster cluster = Cluster.of(3, directory)) {
            assertGood(Cluster.end(start(cluster, "openmpi", "1,3,2,1,1,3", "3x2", properties,
                "0,2,1,0,0,2", "collectives=commutative"), SECONDS), 6);
        }
    }

    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "mpich")
    @Nightly("openmpi")
    void linksThatStallAndNodesThatAreSlowDelayAJobAndHarmNothing(String mpi) throws Exception {
        delaysHarmNothing(mpi, List.of());
    }

    @Tag("once")
    @Test
    void norDoTheyHarmAJobThatUcxJoins() throws Exception {
        assumeUcx();
        List<String> patient = new ArrayList<>(OVER_UCX);
        patient.add("-Dbrigade.ucx.unreachable=60");
        delaysHarmNothing("openmpi", patient);
    }

    private void delaysHarmNothing(String mpi, List<String> properties) throws Exception {
        Cluster.assumeInstalled(mpi);
        try (Cluster cluster = Cluster.of(2, directory, "--rate", "100mbit")) {
            Begun job = start(cluster, mpi, properties, "traffic=9 dialects");
            job.awaitText("traffic flows");
            cluster.control("stall", "node2");
            Thread.sleep(5000);
            cluster.control("unstall", "node2");
            cluster.control("pause", "node1");
            Thread.sleep(1000);
            cluster.control("resume", "node1");
            cluster.control("rate", "node1", "20mbit");
            assertGood(Cluster.end(job, SECONDS), 4);
        }
    }

    /** As users call it: all collectives of both dialects, with every datatype and operation. */
    @Tag("once")
    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = "mpich node")
    @Nightly(delimiter = ' ', value = "openmpi slot")
    void bothDialectsAreRightOnANodeOfThreeRanksAndOneOfOne(String mpi, String map) throws Exception {
        Cluster.assumeInstalled(mpi);
        try (Cluster cluster = Cluster.of(2, directory)) {
            Ended job = Cluster.end(cluster.start(Map.of(),
                TestJava.behind(List.of("run", "--mpi", mpi, "--map", map, "3,1"), "-Xmx256m",
                    DialectRank.class.getName()).toArray(new String[0])),
                SECONDS);
            assertEquals(0, job.code(), job::text);
            for (int rank = 0; rank < 4; rank++) {
                String line = "rank " + rank + ": both dialects are right";
                assertTrue(job.lines().contains(line), () -> "no line \"" + line + "\":\n" + job.text());
            }
        }
    }

    /** Nobody is dead, but neither side hears the other any more. */
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich")
    void aLinkThatStaysDownEndsTheRanksOnBothSidesOfIt(String mpi) throws Exception {
        Cluster.assumeInstalled(mpi);
        try (Cluster cluster = Cluster.of(4, directory)) {
            Begun job = flowing(cluster, mpi, "4x2", "0,0,1,1,2,2,3,3");
            cluster.control("stall", "node4");
            job.awaitText(SILENT, Cluster.LAUNCHER_KNOWS);
            assertRanksEnd(cluster, job, "node1", "node2", "node3", "node4");
        }
    }

    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "mpich")
    @Nightly("openmpi")
    void aNodeThatStandsStillForTooLongIsGivenUpAndItsRanksEndWhenTheyGoOn(String mpi) throws Exception {
        Cluster.assumeInstalled(mpi);
        try (Cluster cluster = Cluster.of(2, directory)) {
            Begun job = flowing(cluster, mpi, "2x2", "0,0,1,1");
            cluster.control("pause", "node2");
            job.awaitText(SILENT, Cluster.LAUNCHER_KNOWS);
            assertRanksEnd(cluster, job, "node1");
            cluster.control("resume", "node2");
            assertRanksEnd(cluster, job, "node2");
        }
    }

    /** Its kernel closes its connections: mpirun ends the job, or the ranks do. */
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich")
    void ranksEndWhenANodeDies(String mpi) throws Exception {
        Cluster.assumeInstalled(mpi);
        try (Cluster cluster = Cluster.of(4, directory)) {
            Begun job = flowing(cluster, mpi, "4x2", "0,0,1,1,2,2,3,3");
            cluster.control("kill", "node3");
            assertRanksEnd(cluster, job, "node1", "node2", "node4");
        }
    }

    private static Begun flowing(Cluster cluster, String mpi, String shape, String mapping) throws Exception {
        Begun job = start(cluster, mpi, "slot", shape, List.of("-Dbrigade.mpi.patience=5"), mapping,
            "traffic=100");
        job.awaitText("traffic flows");
        return job;
    }

    /**
     * What is left on these hosts ends, well before its traffic would, and does not say that all is right. Whether
     * mpirun itself ends is its own affair: the cluster's end is its end.
     */
    private static void assertRanksEnd(Cluster cluster, Begun job, String... hosts) throws Exception {
        for (String host : hosts) {
            boolean ended = false;
            for (int i = 0; i < 200 && !ended; i++) {
                ended = cluster.on(host, "pgrep", "-f", NodesTrial.class.getName()).code() == 1;
                Thread.sleep(100);
            }
            assertTrue(ended, () -> "a rank on " + host + " still runs after 20 s:\n" + job.text());
        }
        assertTrue(job.text().lines().noneMatch(line -> line.contains("all is right")), job::text);
    }

    /** The same classes, but not by the checksum that Maven packs beside them: no rank may get beyond Init. */
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = "openmpi")
    @Nightly("mpich")
    void nodesWithDifferentBuildsOfBrigadeDoNotBegin(String mpi) throws Exception {
        Cluster.assumeInstalled(mpi);
        Path mine = build("mine", "0123456789abcdef");
        Path other = build("other", "0123456789abcdee");
        Path program = Files.writeString(directory.resolve("start.sh"),
            "case $(hostname) in node1) build=" + mine + " ;; *) build=" + other + " ;; esac\n"
                + "exec " + Cluster.JAVA + " -XX:TieredStopAtLevel=1 -cp $build:" + Cluster.CLASS_PATH + " "
                + NodesTrial.class.getName() + " 0,1 dialects\n");
        try (Cluster cluster = Cluster.of(2, directory)) {
            Ended job =
                Cluster.end(cluster.start(Map.of(), "run", "--mpi", mpi, "2x1", "sh", program.toString()), SECONDS);
            assertNotEquals(0, job.code(), job::text);
            String its = ".*build 123456789abcde[ef],.*";
            String told =
                ".*rank . runs Brigade " + its + ", this rank " + its + "; give all ranks the same brigade.jar";
            assertTrue(job.text().lines().anyMatch(line -> line.matches(told)), job::text);
            assertTrue(job.text().lines().noneMatch(line -> line.matches("rank . begins")), job::text);
        }
    }

    private Path build(String name, String checksum) throws IOException {
        Path folder = directory.resolve(name);
        Files.writeString(Files.createDirectories(folder.resolve("org/brigade/bootstrap")).resolve("build"), checksum);
        return folder;
    }
}

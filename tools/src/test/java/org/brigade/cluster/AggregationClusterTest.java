package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.brigade.cluster.Cluster.Begun;
import org.brigade.cluster.Cluster.Ended;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four hosts with two ranks each reduce through aggregators on a fifth, one of which is killed half-way: all results
 * are right, and one rank says so, once.
 */
@Timeout(300)
@Tag("once")
class AggregationClusterTest {
    private static final String ADDRESS = "10.77.0.5";

    @TempDir
    Path directory;

    private Path secret;

    @BeforeAll
    static void hostsArePossible() throws Exception {
        Cluster.assumePossible();
    }

    private Begun aggregator(Cluster cluster, int port, String... options) throws Exception {
        List<String> line = TestJava.behind(List.of("exec", "node5"), "org.brigade.cli.Brigade", "aggregator",
            "--listen", ADDRESS + ":" + port, "--secret", secret.toString());
        line.addAll(List.of(options));
        Begun begun = cluster.start(Map.of(), line.toArray(new String[0]));
        begun.awaitText("aggregator listens: tcp:" + ADDRESS + ":" + port);
        return begun;
    }

    /**
     * Runs the job with some bottom of a tree, whose aggregators say that they have so many nodes each, until it ends;
     * kills the aggregator of a port in between.
     */
    private void assertSurvives(Cluster cluster, String mpi, String bottom, List<Begun> aggregators, String joined,
        int victim) throws Exception {
        // Not as properties: Open MPI's mpirun, which knows java, takes the cp of tcp for its class path.
        Begun job = cluster.start(
            Map.of("BRIGADE_AGGREGATION", "tcp:" + bottom, "BRIGADE_AGGREGATION_SECRET", secret.toString(),
                "BRIGADE_AGGREGATION_TIMEOUT", "100"),
            TestJava.behind(List.of("run", "--mpi", mpi, "4x2"), ReducingProgram.class.getName(),
                directory.resolve("stop").toString()).toArray(new String[0]));
        job.awaitText("100 calls");
        for (Begun each : aggregators) {
            each.awaitText(joined);
        }
        assertEquals(0, cluster.on("node5", "pkill", "-9", "-f", "[l]isten " + ADDRESS + ":" + victim).code(),
            "killing the aggregator");
        Files.createFile(directory.resolve("stop"));
        Ended ended = Cluster.end(job, 150);
        assertEquals(0, ended.code(), ended::text);
        for (int rank = 0; rank < 8; rank++) {
            assertTrue(ended.text().contains("rank " + rank + ": right to the end"), ended::text);
        }
        assertEquals(1, ended.lines().stream().filter(line -> line.contains("not reduced in the network")).count(),
            ended::text);
        assertTrue(ended.text().contains("but by the ordinary schedules: ECONN_TREE"), ended::text);
    }

    private Cluster cluster() throws Exception {
        secret = Files.createFile(directory.resolve("secret"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "this is the secret of a test\n");
        return Cluster.of(5, directory);
    }

    @Tag("nightly")
    @Test
    void anAggregatorKilledHalfWayCostsNoResultUnderOpenMpi() throws Exception {
        Cluster.assumeInstalled("openmpi");
        try (Cluster cluster = cluster()) {
            Begun aggregator = aggregator(cluster, 7070);
            assertSurvives(cluster, "openmpi", ADDRESS + ":7070", List.of(aggregator), "4 joined here for 4 of 4 nodes",
                7070);
        }
    }

    @Tag("nightly") // AggregatorJobsTest does it on one node
    @Test
    void soDoesOneOfATreeOfTwoLevelsUnderMpich() throws Exception {
        Cluster.assumeInstalled("mpich");
        try (Cluster cluster = cluster()) {
            Begun top = aggregator(cluster, 7070);
            Begun first = aggregator(cluster, 7071, "--parent", ADDRESS + ":7070", "--place", "0");
            Begun second = aggregator(cluster, 7072, "--parent", ADDRESS + ":7070", "--place", "1");
            assertSurvives(cluster, "mpich", ADDRESS + ":7071," + ADDRESS + ":7072", List.of(first, second),
                "2 joined here for 2 of 4 nodes", 7072);
            top.awaitText("2 joined here for 4 of 4 nodes");
        }
    }
}

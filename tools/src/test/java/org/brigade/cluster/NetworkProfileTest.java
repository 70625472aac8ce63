package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.brigade.cli.Brigade;
import org.brigade.cluster.Cluster.Ended;
import org.brigade.topology.profile.NetworkProfile;
import org.brigade.topology.profile.NetworkProfile.Visit;
import org.brigade.topology.profile.NetworkProfileXml;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The network between hosts is profiled, and rings and chains follow the profile; which order is fastest says nothing
 * here.
 */
@Timeout(300)
@Tag("slow")
@Tag("once")
class NetworkProfileTest {
    private static final int SECONDS = 120;
    private static final List<String> HOSTS = List.of("node1", "node2", "node3", "node4");

    @TempDir
    Path folder;

    @BeforeAll
    static void hostsArePossible() throws Exception {
        Cluster.assumePossible();
        Cluster.assumeInstalled("openmpi");
    }

    private static Ended run(Cluster cluster, String shape, List<String> properties, Class<?> program, String... words)
        throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("run", "--mpi", "openmpi", shape, Cluster.JAVA,
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        line.addAll(properties);
        line.addAll(List.of("-cp", Cluster.CLASS_PATH, program.getName()));
        line.addAll(List.of(words));
        return Cluster.end(cluster.start(Map.of(), line.toArray(new String[0])), SECONDS);
    }

    @Test
    void theNetworkIsMeasuredAndRingsAndChainsFollowTheProfile() throws Exception {
        Path file = folder.resolve("network.xml");
        try (Cluster cluster = Cluster.of(4, folder, "--racks", "2", "--trunk", "100mbit")) {
            Ended measured = run(cluster, "4x1", List.of(), Brigade.class, "profile", "--nodes", "--bytes", "16K",
                "--iterations", "1", "--out", file.toString());
            assertEquals(0, measured.code(), measured::text);
            NetworkProfile profile = NetworkProfileXml.read(file);
            assertEquals(List.of("mpi", HOSTS), List.of(profile.fabric(), profile.hosts()), measured::text);
            assertEquals(4, profile.chains().size(), measured::text);
            assertTrue(measured.text().contains("fastest ring: "), measured::text);

            NetworkProfileXml.write(new NetworkProfile("mpi", "2026-11-26", 1, List.of("node4", "node3", "node2",
                "node1"), new Visit(1, List.of(0, 2, 3, 1)), Map.of()), file);
            for (String[] known : new String[][] {{"none", "0,1,2,3,4,5"}, {file.toString(), "0,1,4,5,2,3"}}) {
                Ended job = run(cluster, "2,2,1,1", List.of("-Dbrigade.network.profile=" + known[0],
                    "-Dbrigade.reduce-scatter.algorithm=ring", "-Dbrigade.reduce.algorithm=pipelined-chain"),
                    NodeOrderTrial.class, known[1], "1,1,2,2,3,4",
                    String.valueOf(!known[0].equals("none")));
                assertEquals(0, job.code(), job::text);
                for (int rank = 0; rank < 6; rank++) {
                    assertTrue(job.lines().contains("rank " + rank + ": in order"), job::text);
                }
            }
        }
    }

    /** As a profile of other bytes that was interrupted leaves it. */
    @Test
    void aRecordingOfOtherConditionsIsBegunAnewOrRefusedInOneSentence() throws Exception {
        Path file = folder.resolve("network.xml");
        Path recording = folder.resolve("network.xml.recording");
        String begun = "# brigade recording 1\n# other conditions\n";
        try (Cluster cluster = Cluster.of(2, folder)) {
            Files.writeString(recording, begun);
            Ended again = run(cluster, "2x1", List.of(), Brigade.class, "profile", "--nodes", "--bytes", "16K",
                "--iterations", "1", "--out", file.toString());
            assertEquals(0, again.code(), again::text);
            assertTrue(again.text().contains("measured under other conditions: all is measured again"), again::text);
            assertEquals(2, NetworkProfileXml.read(file).chains().size(), again::text);

            Files.writeString(recording, begun);
            Ended refused = run(cluster, "2x1", List.of(), Brigade.class, "profile", "--nodes", "--bytes", "16K",
                "--iterations", "1", "--out", file.toString(), "--recording", recording.toString());
            assertTrue(refused.code() != 0, refused::text);
            assertEquals(1, refused.lines().stream().filter(line -> line.contains("recorded under other conditions: "
                + "other conditions; now: ") && line.contains("move the file away to begin again")).count(),
                refused::text);
            assertTrue(!refused.text().contains("MPI_Finalize"), refused::text);
        }
    }

    @Test
    void severalProcessesOnANodeAreTold() throws Exception {
        try (Cluster cluster = Cluster.of(2, folder)) {
            Ended ended = run(cluster, "1,2", List.of(), Brigade.class, "profile", "--nodes");
            assertTrue(ended.code() != 0, ended::text);
            assertTrue(ended.text().contains("brigade profile: rank 1 is one of 2 processes on its node; start it by"
                + " the MPI of your cluster, one process on each node: mpirun"), ended::text);
        }
    }
}

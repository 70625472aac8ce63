package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.brigade.cluster.Cluster.Begun;
import org.brigade.cluster.Cluster.Ended;
import org.brigade.communicator.NodesTrial;
import org.brigade.process.TestJava;
import org.brigade.transport.ucx.UcxInventory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that are started one by one on hosts with networks, memory and processes of their own, without an MPI. */
@Timeout(300)
@Tag("slow")
class RendezvousClusterTest {
    private static final int SECONDS = 240; // a busy machine is no failure

    @TempDir
    Path directory;

    @BeforeAll
    static void hostsArePossible() throws Exception {
        Cluster.assumePossible();
        String missing = UcxInventory.missing();
        assumeTrue(missing == null, missing);
    }

    private List<Begun> start(Cluster cluster, String place, String nodes, String... parts) throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "known to these hosts only");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        String[] nodeOf = nodes.split(",");
        List<Begun> ranks = new ArrayList<>();
        for (int rank = 0; rank < nodeOf.length; rank++) {
            List<String> line = TestJava.behind(List.of("exec", "node" + (1 + Integer.parseInt(nodeOf[rank])), "env",
                "BRIGADE_RANK=" + rank, "BRIGADE_SIZE=" + nodeOf.length, "BRIGADE_RENDEZVOUS=" + place,
                "BRIGADE_SECRET_FILE=" + secret), "-Xmx128m", NodesTrial.class.getName(), nodes);
            line.addAll(List.of(parts));
            ranks.add(cluster.start(Map.of(), line.toArray(new String[0])));
        }
        return ranks;
    }

    @ParameterizedTest
    @ValueSource(strings = {"node1:7070", "folder"})
    void everythingIsRightOnTwoHosts(String place) throws Exception {
        try (Cluster cluster = Cluster.of(2, directory)) {
            List<Begun> ranks = start(cluster, place.equals("folder") ? directory.toString() : place, "0,1,1",
                "collectives", "messages");
            for (Begun each : ranks) {
                Ended ended = Cluster.end(each, SECONDS);
                assertEquals(0, ended.code(), ended::text);
                assertTrue(ended.text().contains(": all is right"), ended::text);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"node1", "node2"})
    void theOthersEndWhenAHostDies(String host) throws Exception {
        try (Cluster cluster = Cluster.of(2, directory)) {
            List<Begun> ranks = start(cluster, "node1:7070", "0,1", "traffic=200");
            for (Begun each : ranks) {
                each.awaitText("begins");
            }
            cluster.control("kill", host);
            int dead = host.equals("node1") ? 0 : 1;
            Ended other = Cluster.end(ranks.get(1 - dead), SECONDS);
            assertTrue(other.code() != 0 && other.text().contains("rank " + dead), other::text);
        }
    }
}

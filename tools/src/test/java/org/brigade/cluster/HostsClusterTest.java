package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.cluster.Cluster.Begun;
import org.brigade.cluster.Cluster.Ended;
import org.brigade.communicator.NodesTrial;
import org.brigade.process.TestJava;
import org.brigade.trace.TracedProgram;
import org.brigade.transport.ucx.UcxInventory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs that mpjrun starts on hosts with networks, memory and processes of their own, without an MPI. In place of ssh,
 * an agent enters their namespaces.
 */
@Timeout(300)
@Tag("slow")
class HostsClusterTest {
    private static final int SECONDS = 240; // a busy machine is no failure

    @TempDir
    Path directory;

    @BeforeAll
    static void hostsArePossible() throws Exception {
        Cluster.assumePossible();
        String missing = UcxInventory.missing();
        assumeTrue(missing == null, missing);
    }

    private static Begun start(Cluster cluster, String hosts, String main, String... program) throws Exception {
        List<String> line = new ArrayList<>(List.of("exec", "login"));
        line.addAll(TestJava.mpjrun("--launch-agent", cluster.agent(), "--hosts", hosts, "-Xmx128m", main));
        line.addAll(List.of(program));
        return cluster.start(Map.of(), line.toArray(new String[0]));
    }

    @Test
    void everythingIsRightAndSurvivorsGoOnOrAHostThatDiesEndsTheJob() throws Exception {
        try (Cluster cluster = Cluster.of(3, directory)) {
            Ended good = Cluster.end(
                start(cluster, "node1:1,node2:2", NodesTrial.class.getName(), "0,1,1", "collectives", "messages"),
                SECONDS);
            assertEquals(0, good.code(), good::text);
            assertEquals(3, good.lines().stream().filter(line -> line.contains(": all is right")).count(), good::text);
            assertATraceHasTheRanksOfAllHosts(cluster);
            // Stopped processes: only mpjrun notices, which hears nothing of the host's agent.
            assertSurvivorsGoOn(cluster, "pause", "rank 1 of 3 is lost with its host node2", "host.patience=3");
            cluster.control("resume", "node2");
            // A cut link: mpjrun still reaches the agent, and no connection ends. Only the kernel's silence tells.
            assertSurvivorsGoOn(cluster, "stall", "rank 1 of 3 is lost with its host node2", "ucx.patience=86400");
            Begun job = start(cluster, "node1:1,node3:1", NodesTrial.class.getName(), "0,1", "traffic=200");
            job.awaitText("begins");
            cluster.control("stall", "node3"); // without a word
            cluster.control("kill", "node3");
            Ended bad = Cluster.end(job, SECONDS);
            assertTrue(bad.code() != 0 && bad.text().contains("rank 1"), bad::text);
            Ended left = cluster.on("node1", "sh", "-c", "pgrep -f '[H]ostAgent|[N]odesTrial' || echo none");
            assertEquals("none", left.text().strip());
        }
    }

    /** The hosts have a /tmp each, so their recordings must come to where mpjrun runs. */
    private void assertATraceHasTheRanksOfAllHosts(Cluster cluster) throws Exception {
        String traces = "-Dbrigade.trace=/tmp/trace";
        // A rank that ends before Init records nothing: what an earlier job has left there is not its recording.
        cluster.on("node2", "sh", "-c", "mkdir -m 700 /tmp/trace; echo old > /tmp/trace/rank-1.jfr");
        Ended empty = Cluster.end(start(cluster, "node1:1,node2:1", traces,
            "org.brigade.launch.LaunchedProgram", "identity"), SECONDS);
        assertEquals(0, empty.code(), empty::text);
        assertEquals(List.of(), cluster.on("login", "ls", "-A", "/tmp/trace").lines(), empty::text);
        String program = TracedProgram.class.getName();
        Ended traced = Cluster.end(start(cluster, "node1:1,node2:2", "-np", "1", traces, program, ":", "-np", "2",
            "-cp", Cluster.CLASS_PATH, traces, program), SECONDS);
        assertEquals(0, traced.code(), traced::text);
        Ended there = cluster.on("login", "sh", "-c", "ls -A /tmp/trace; cp -r /tmp/trace " + directory);
        assertEquals(List.of("rank-0.jfr", "rank-1.jfr", "rank-2.jfr"), there.lines(), traced::text);
        assertEquals(List.of(), cluster.on("node2", "ls", "-A", "/tmp/trace").lines());
        String report = org.brigade.cli.Ended.brigade("trace", "--from", directory.resolve("trace").toString()).out();
        String[] hosts = {"node1", "node2", "node2"};
        for (int rank = 0; rank < hosts.length; rank++) {
            String row = rank + " +" + hosts[rank] + (rank == 1 ? " .*" : " .* rank \\d .*");
            assertTrue(report.lines().anyMatch(line -> line.matches(row)), report); // rank 1 comes late
        }
    }

    private static void assertSurvivorsGoOn(Cluster cluster, String deed, String told, String setting)
        throws Exception {
        Begun job = start(cluster, "node1:1,node2:1,node3:1", "-Dbrigade." + setting,
            "org.brigade.launch.SurvivingProgram", "host", "long");
        job.awaitText("rank 1 waits for the end of its host");
        cluster.control(deed, "node2");
        if (deed.equals("stall")) {
            job.awaitText("rank 0 finalized");
            job.awaitText("rank 2 finalized");
            cluster.control("kill", "node2"); // rank 1 lives, and the job does
        }
        Ended ended = Cluster.end(job, SECONDS);
        Set<String> said = new TreeSet<>(ended.lines().stream().filter(line -> line.startsWith("rank ")).toList());
        assertEquals(Set.of("rank 1 waits for the end of its host", "rank 0 heard of it", "rank 2 heard of it",
            "rank 0 finalized", "rank 2 finalized"), said, ended::text);
        assertTrue(ended.text().contains(told), ended::text);
    }
}

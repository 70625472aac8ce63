package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.brigade.cli.Brigade;
import org.brigade.cli.tune.TunedProgram;
import org.brigade.cluster.Cluster.Ended;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tunes jobs between hosts with a tiny range, and runs jobs with the table. The times say nothing. */
@Timeout(300)
@Tag("slow")
@Tag("once")
class NodesTuningTest {
    private static final int SECONDS = 120;
    /** Each host has a /tmp of its own, so this is a home that hosts do not share. */
    private static final String CONFIG = "/tmp/config";
    private static final String TABLE = CONFIG + "/brigade/cluster-*-n2-np4.table";

    @TempDir
    Path folder;

    @BeforeAll
    static void hostsArePossible() throws Exception {
        Cluster.assumePossible();
        Cluster.assumeInstalled("openmpi");
    }

    private static Ended run(Cluster cluster, String shape, Class<?> program, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("run", "--mpi", "openmpi", shape, "-x", "XDG_CONFIG_HOME=" + CONFIG,
            Cluster.JAVA, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", Cluster.CLASS_PATH,
            program.getName()));
        line.addAll(List.of(words));
        Ended ended = Cluster.end(cluster.start(Map.of(), line.toArray(new String[0])), SECONDS);
        assertEquals(0, ended.code(), ended::text);
        return ended;
    }

    /** What all ranks say of the algorithm that served them. */
    private static Set<String> served(Ended job, int ranks) {
        List<String> said = job.lines().stream().filter(line -> line.startsWith("served by")).toList();
        assertEquals(ranks, said.size(), job::text);
        return said.stream().collect(Collectors.toSet());
    }

    private static void shell(Cluster cluster, String host, String command) throws Exception {
        Ended ended = cluster.on(host, "bash", "-c", command);
        assertEquals(0, ended.code(), ended::text);
    }

    @Test
    void jobsFollowWhatRankZerosNodeHasUntilItIsOld() throws Exception {
        try (Cluster cluster = Cluster.of(2, folder)) {
            Ended tuned = run(cluster, "2x2", Brigade.class, "tune", "--nodes", "--ops", "barrier,bcast", "--sizes",
                "8", "--time", "2s");
            assertTrue(tuned.text().contains("Jobs on 2 nodes node* with 2 ranks each, joined by mpi now follow "
                + CONFIG + "/brigade/cluster-mpi-"), tuned::text);
            assertTrue(tuned.text().contains("between nodes: ") && tuned.text().contains("bcast 8: "), tuned::text);
            shell(cluster, "node2", "test -e " + TABLE); // a later job's rank 0 may be there

            // Whatever was fastest, this rule is of the same cluster and shape.
            shell(cluster, "node1",
                "sed -i '/^bcast/d' " + TABLE + " && echo bcast ranks 4 nodes 2 chain >> " + TABLE);
            shell(cluster, "node2", "rm " + TABLE);
            assertEquals(Set.of("served by chain"), served(run(cluster, "2x2", TunedProgram.class, "all"), 4));
            assertFalse(served(run(cluster, "2x1", TunedProgram.class, "all"), 2).contains("served by chain"));

            shell(cluster, "node1", "sed -i 's/by Brigade [^ ,]*/by Brigade 0.0.0/' " + TABLE);
            Ended old = run(cluster, "2x2", TunedProgram.class, "all");
            assertFalse(served(old, 4).contains("served by chain"), old::text);
            List<String> complaints = old.lines().stream().filter(line -> line.contains(" is not used: ")).toList();
            assertEquals(1, complaints.size(), old::text);
            assertTrue(complaints.get(0).contains("it was tuned by Brigade 0.0.0,")
                && complaints.get(0).contains("brigade tune --nodes by the MPI of this cluster"), old::text);
        }
    }
}

package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.brigade.cluster.Cluster.Begun;
import org.brigade.cluster.Cluster.Ended;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The host's MPI between hosts that have nothing else in common, when their network fails. */
@Timeout(180)
@Tag("once")
class HostMpiClusterTest {
    private static final int STALL_MILLIS = 5000;
    private static final int PATIENCE = 15;

    @TempDir
    Path directory;

    @BeforeAll
    static void hostsArePossible() throws Exception {
        Cluster.assumePossible();
    }

    private static Begun begin(Cluster cluster, String mpi, String shape, int seconds) throws Exception {
        String[] command = {"run", "--mpi", mpi, shape, Cluster.JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dbrigade.mpi.patience=" + PATIENCE, "-cp", Cluster.CLASS_PATH,
            ReducingProgram.class.getName(), "" + seconds};
        return cluster.start(Map.of(), command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"openmpi", "mpich"})
    void aLinkThatStallsForFiveSecondsIsWaitedFor(String mpi) throws Exception {
        Cluster.assumeInstalled(mpi);
        try (Cluster cluster = Cluster.of(2, directory)) {
            Begun job = begin(cluster, mpi, "2x2", 10);
            job.awaitText("100 calls");
            cluster.control("stall", "node2");
            Thread.sleep(STALL_MILLIS);
            cluster.control("unstall", "node2");
            Ended ended = Cluster.end(job, 90);
            assertEquals(0, ended.code(), ended::text);
            for (int rank = 0; rank < 4; rank++) {
                assertTrue(ended.text().contains("rank " + rank + ": right to the end"), ended::text);
            }
        }
    }

    /** Cut off first, so that the kernel of the dead host cannot tell anybody. How long the launcher itself waits for such a host is its own affair. */
    @ParameterizedTest
    @ValueSource(strings = {"openmpi", "mpich"})
    void aHostThatIsGoneWithoutAWordIsMissedInTheStatedTime(String mpi) throws Exception {
        Cluster.assumeInstalled(mpi);
        try (Cluster cluster = Cluster.of(2, directory)) {
            Begun job = begin(cluster, mpi, "2x1", 100);
            job.awaitText("100 calls");
            cluster.control("stall", "node2");
            cluster.control("kill", "node2");
            try {
                job.awaitText("rank 1 has given no sign of life for " + PATIENCE + " s (brigade.mpi.patience): its node or the network to it is down", Cluster.LAUNCHER_KNOWS);
            } finally {
                job.process().descendants().forEach(ProcessHandle::destroyForcibly);
                job.process().destroyForcibly();
            }
        }
    }
}

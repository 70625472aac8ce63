package org.brigade.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.brigade.cluster.Cluster.Ended;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Collectives of GPU buffers on several hosts, with the software driver: right, and by the host's schedules. */
@Timeout(300)
@Tag("slow")
@Tag("once")
class DeviceHostsTest {
    private static final int SECONDS = 200;

    @TempDir
    Path folder;

    @BeforeAll
    static void hostsArePossible() throws Exception {
        Cluster.assumePossible();
        Cluster.assumeInstalled("openmpi");
        SoftwareCuda.folder();
    }

    /** Copied as a whole at the beginning and end, and message by message in pieces. */
    @ParameterizedTest
    @CsvSource({"2x2, 65536, none, 64K", "2x2, 4194304, none, 64K", "2x2, 4194304, hierarchical, 1M",
        "'2,1', 4194304, pipelined-chain, 64K"})
    void callsOfGpusOnSeveralHostsAreRight(String shape, String bytes, String bcast,
        String chunk) throws Exception {
        try (Cluster cluster = Cluster.of(2, folder, "--rate", "1gbit")) {
            List<String> line = new ArrayList<>(List.of("run", "--mpi", "openmpi", shape, "env",
                "LD_LIBRARY_PATH=" + SoftwareCuda.folder(), "SOFTWARE_CUDA_DEVICES=2", Cluster.JAVA,
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m",
                "-Djava.io.tmpdir=" + SoftwareCuda.temporary()));
            if (!bcast.equals("none")) {
                line.addAll(List.of("-Dbrigade.bcast.algorithm=" + bcast, "-Dbrigade.bcast.chunk=" + chunk));
            }
            line.addAll(List.of("-cp", Cluster.CLASS_PATH, DeviceHostsTrial.class.getName(), bytes));
            Ended job = Cluster.end(cluster.start(Map.of(), line.toArray(new String[0])), SECONDS);
            assertEquals(0, job.code(), job::text);
            assertTrue(job.lines().stream().anyMatch(said -> said.startsWith("bcast " + bytes)
                && (bcast.equals("none") || said.contains(bcast))), job::text);
            for (String collective : List.of("allreduce ", "alltoall ")) {
                assertTrue(job.lines().stream().anyMatch(said -> said.startsWith(collective + bytes)), job::text);
            }
        }
    }
}

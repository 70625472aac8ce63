package org.brigade.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.cli.Ended;
import org.brigade.select.ByteSize;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the ranks of {@code brigade bench --space device} print, on the software driver; the times say nothing there.
 */
@Timeout(300)
@Tag("once")
@Tag("slow")
class DeviceBenchTest {
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    @Test
    void aLineHasTheTimesOfABlockingCallAndOfThoseOnAStreamAndInAGraph() throws Exception {
        List<String> lines =
            new DeviceJob(DeviceBenchRank.class, "allreduce", "64").set("SOFTWARE_CUDA_DEVICES", "2").run(2).lines();
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(lines.get(0).matches("allreduce,2,64,packets(,\\d+\\.\\d{3}){3}"), lines.get(0));
    }

    /** A job on two nodes runs, and says that it runs, what explain says of such nodes; each rank has a GPU. */
    @Test
    void onSeveralNodesTheAlgorithmIsTheOneThatExplainNames() throws Exception {
        List<String> lines = new DeviceJob(DeviceBenchRank.class, "allreduce,bcast", "64,64K", "0", "checked",
            DeviceBenchRank.EMULATED).option("--nodes").option("2").option("--fabric").option("sisci")
            .set("SOFTWARE_CUDA_DEVICES", "4").run(4).lines();
        assertEquals(4, lines.size(), lines.toString());
        for (String line : lines) {
            String[] fields = line.split(",", -1);
            String out = Ended.brigade("explain", fields[0], "--space", "device", "--ranks", "4", "--nodes", "2",
                "--fabric", "sisci", "--bytes", fields[2]).out();
            String host = out.lines().filter(each -> each.contains(", host memory, ")).findFirst()
                .orElseThrow();
            assertTrue(out.contains("device memory, " + ByteSize.words(Long.parseLong(fields[2]))
                + ": staged") && host.contains(": " + fields[3]), line + "\n" + out);
            assertTrue(out.contains("network: 61.6 Gbit/s"), out);
        }
    }
}

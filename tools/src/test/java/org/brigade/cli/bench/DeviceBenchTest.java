package org.brigade.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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
}

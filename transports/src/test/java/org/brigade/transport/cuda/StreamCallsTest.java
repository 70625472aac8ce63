package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls on streams and in graphs, between processes on the software driver. */
@Timeout(120)
class StreamCallsTest {
    private static final List<String> WELL = List.of("all is well");

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    @ParameterizedTest
    @CsvSource({"registered, 2", "registered, 3", "unregistered, 2", "unregistered, 3", "graphs, 2", "order, 3", "mixed, 3", "mistakes, 2"})
    void amongProcesses(String claim, int ranks) throws Exception {
        assertEquals(WELL, new DeviceJob(StreamTrial.class, claim).set("SOFTWARE_CUDA_DEVICES", "" + ranks).set("SOFTWARE_CUDA_DELAYS", "7").run(ranks).lines());
    }

    /** Each algorithm where it may run; packets and pieces take its place elsewhere. */
    @ParameterizedTest
    @CsvSource({"allreduce, two-shot", "allreduce, push-two-phase", "allreduce, ring", "bcast, push", "bcast, chain", "bcast, scatter-allgather", "allgather, ring",
        "reduce-scatter, push-two-phase", "reduce-scatter, ring"})
    void byEveryAlgorithm(String collective, String algorithm) throws Exception {
        assertEquals(WELL, new DeviceJob(StreamTrial.class, "mixed").option("-Dbrigade." + collective + ".device.algorithm=" + algorithm)
            .set("SOFTWARE_CUDA_DEVICES", "3").set("SOFTWARE_CUDA_DELAYS", "5").run(3).lines());
    }

    @ParameterizedTest
    @CsvSource({"lost", "lost-replaying"})
    void noKernelWaitsForARankThatWasKilled(String claim) throws Exception {
        DeviceJob.Ended ended = new DeviceJob(StreamTrial.class, claim).set("SOFTWARE_CUDA_DEVICES", "3").run(3);
        assertTrue(ended.text().contains("rank 0 has ended its work") && ended.text().contains("rank 2 has ended its work"), ended.text());
    }

    @Test
    void twoRanksShareAGpu() throws Exception {
        assertEquals(WELL, new DeviceJob(StreamTrial.class, "order").set("SOFTWARE_CUDA_DEVICES", "1").run(2).lines());
    }
}

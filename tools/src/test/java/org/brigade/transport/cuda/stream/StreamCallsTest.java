package org.brigade.transport.cuda.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.nightly.Nightly;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls on streams and in graphs, between processes on the software driver. */
@Timeout(300)
@Tag("once")
class StreamCallsTest {
    private static final List<String> WELL = List.of("all is well");

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    @ParameterizedTest
    @CsvSource({"registered, 2", "unregistered, 2", "graphs, 2", "order, 3", "mistakes, 2", "streams-that-go, 2",
        "neighbours, 3"})
    @Nightly({"neighbours, 2", "registered, 3", "unregistered, 3", "mixed, 3"})
    void amongProcesses(String claim, int ranks) throws Exception {
        assertEquals(WELL, new DeviceJob(StreamTrial.class, claim).set("SOFTWARE_CUDA_DEVICES", "" + ranks)
            .set("SOFTWARE_CUDA_DELAYS", "7").run(ranks).lines());
    }

    @Test
    void shortVectorsOfAListAreReducedByOneLaunch() throws Exception {
        assertEquals(WELL, new DeviceJob(StreamTrial.class, "lists").set("SOFTWARE_CUDA_DEVICES", "2")
            .set("SOFTWARE_CUDA_FAIL_LAUNCH", "40").run(2).lines());
    }

    /**
     * Where the first of several closings ends a mapping, as compute-sanitizer has it, not the last one as the driver
     * has it.
     */
    @Test
    void theEndOfARegistrationTakesNothingFromBlockingCalls() throws Exception {
        DeviceJob job = new DeviceJob(StreamTrial.class, "mapped-twice").set("SOFTWARE_CUDA_FIRST_CLOSE_ENDS", "1");
        force(job, "allreduce", "two-shot");
        assertEquals(WELL, job.run(2).lines());
    }

    /**
     * Algorithms of allreduce, bcast, allgather, reduce-scatter, reduce; they give way to packets and pieces where
     * buffers are not registered. Windows are as small as can be.
     */
    @ParameterizedTest
    @CsvSource({"packets, packets, packets, packets, packets", "two-shot, push, push, pull, line-chain",
        "push-two-phase, scatter-allgather, ring, push-two-phase, chain"})
    @Nightly({"ring, chain, ring, ring, chain", "push-two-phase, chain, push, ring, line-chain"})
    void manyCallsWithoutWaiting(String allreduce, String bcast, String allgather, String reduceScatter,
        String reduce) throws Exception {
        DeviceJob job = new DeviceJob(StreamTrial.class, "crowd").set("SOFTWARE_CUDA_DEVICES", "3")
            .set("SOFTWARE_CUDA_DELAYS", "5");
        force(job, "allreduce", allreduce);
        force(job, "bcast", bcast);
        force(job, "allgather", allgather);
        force(job, "reduce-scatter", reduceScatter);
        force(job, "reduce", reduce);
        assertEquals(WELL, job.run(3).lines());
    }

    @ParameterizedTest
    @CsvSource("graphs, 3, '2,0,1'")
    @Nightly({"registered, 3, '0,2,1'", "crowd, 3, '0,2,1'", "mixed, 4, '0,2,1,3'"})
    void kernelsFollowWiresOnStreamsToo(String claim, int ranks, String order) throws Exception {
        DeviceJob job = new DeviceJob(StreamTrial.class, claim).set("SOFTWARE_CUDA_DEVICES", "" + ranks)
            .set("SOFTWARE_CUDA_DELAYS", "5").option("-Dbrigade.ring.order=" + order);
        force(job, "allreduce", "ring");
        force(job, "bcast", "chain");
        force(job, "allgather", "ring");
        force(job, "reduce-scatter", "ring");
        force(job, "reduce", "chain");
        assertEquals(WELL, job.run(ranks).lines());
    }

    private static void force(DeviceJob job, String collective, String algorithm) {
        job.option("-Dbrigade." + collective + ".device.algorithm=" + algorithm)
            .option("-Dbrigade." + collective + ".device.chunk=4K");
    }

    @ParameterizedTest
    @CsvSource({"lost", "lost-replaying", "lost-untold"})
    void noKernelWaitsForARankThatWasKilled(String claim) throws Exception {
        DeviceJob.Ended ended = new DeviceJob(StreamTrial.class, claim).set("SOFTWARE_CUDA_DEVICES", "3").run(3);
        assertTrue(
            ended.text().contains("rank 0 has ended its work") && ended.text().contains("rank 2 has ended its work"),
            ended.text());
    }

    @Test
    void twoRanksShareAGpu() throws Exception {
        assertEquals(WELL, new DeviceJob(StreamTrial.class, "order").set("SOFTWARE_CUDA_DEVICES", "1").run(2).lines());
    }
}

package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.cli.VerifyRank;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code brigade verify --space device} runs, for the algorithms of large messages, whose windows are made short and many. */
@Timeout(60)
class PipelinesTest {
    /** Here, as it may take longer than a test. */
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    @ParameterizedTest
    @CsvSource({
        "3, all, push-two-phase, 0", "3, all, ring, 0", "4, bcast, scatter-allgather, 0", "3, bcast, chain, 50", "2, bcast, copy-engine, 50"})
    void resultsAreWhatTheHostComputes(int ranks, String collective, String algorithm, int share) throws Exception {
        DeviceJob job = new DeviceJob(VerifyRank.class, "0", collective, algorithm).set("SOFTWARE_CUDA_DEVICES", "" + ranks).option("-Dbrigade.bcast.device.share=" + share);
        for (String each : List.of("allreduce", "reduce-scatter", "allgather", "allgatherv", "bcast")) {
            job.option("-Dbrigade." + each + ".device.chunk=4K");
        }
        List<String> lines = job.run(ranks).lines();
        assertTrue(lines.get(lines.size() - 1).endsWith(" calls on " + ranks + " ranks, 0 wrong results"), lines::toString);
        assertTrue(lines.stream().anyMatch(line -> line.contains(algorithm)), lines::toString);
    }
}

package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.cli.verify.VerifyRank;
import org.brigade.nightly.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@code brigade verify --space device} runs, for the algorithms of large messages, whose windows are made short
 * and many.
 */
@Timeout(300)
@Tag("once")
class PipelinesTest {
    /** Here, as it may take longer than a test. */
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    @ParameterizedTest
    @CsvSource({
        "3, all, push-two-phase, 0", "3, reduce, chain, 0", "4, reduce, line-chain, 0",
        "4, bcast, scatter-allgather, 0", "3, bcast, chain, 50",
        "2, bcast, copy-engine, 50", "4, allreduce, paired, 40"})
    @Nightly("3, all, ring, 0")
    void resultsAreWhatTheHostComputes(int ranks, String collective, String algorithm, int share) throws Exception {
        good(ranks, algorithm, new DeviceJob(VerifyRank.class, "0", collective, algorithm)
            .option("-Dbrigade.bcast.device.share=" + share).option("-Dbrigade.allreduce.device.share=" + share));
    }

    @ParameterizedTest
    @CsvSource({"3, '0,2,1', all, ring", "4, '1,3,0,2', reduce, chain", "4, '0,2,1,3', bcast, chain"})
    @Nightly("4, '1,3,0,2', all, ring")
    void alongTheWiresTheyAreTheSame(int ranks, String order, String collective, String algorithm) throws Exception {
        good(ranks, algorithm, new DeviceJob(VerifyRank.class, "0", collective, algorithm, "device", "brief")
            .option("-Dbrigade.ring.order=" + order));
    }

    private static void good(int ranks, String algorithm, DeviceJob job) throws Exception {
        job.set("SOFTWARE_CUDA_DEVICES", "" + ranks);
        for (String each : List.of("allreduce", "reduce", "reduce-scatter", "allgather", "allgatherv", "bcast")) {
            job.option("-Dbrigade." + each + ".device.chunk=4K");
        }
        List<String> lines = job.run(ranks).lines();
        assertTrue(lines.get(lines.size() - 1).endsWith(" calls on " + ranks + " ranks, 0 wrong results"),
            lines::toString);
        assertTrue(lines.stream().anyMatch(line -> line.contains(algorithm)), lines::toString);
    }
}

package org.brigade.transport.cuda.gpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.cli.verify.VerifyRank;
import org.brigade.nightly.Nightly;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.DeviceMessages;
import org.brigade.transport.cuda.SoftwareCuda;
import org.brigade.transport.cuda.calls.CallAudit;
import org.brigade.transport.cuda.group.ResidentTrial;
import org.brigade.transport.cuda.stream.StreamTrial;
import org.brigade.transport.cuda.window.WindowTrial;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several GPUs in a process, and ranks with different CUDA_VISIBLE_DEVICES: a GPU has another ordinal at another rank,
 * or none. Lists of ranks are separated by a slash.
 */
@Timeout(400)
@Tag("once")
@Tag("slow")
class SeveralGpusTest {
    private static final String WELL = "all is well";
    private static final String OWN = "0/1";

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static List<String> lines(DeviceJob job, String visible) throws Exception {
        return job.set("SOFTWARE_CUDA_DEVICES", "3").seeing(visible.split("/")).lines();
    }

    @Test
    void eachRankUsesAllGpus() throws Exception {
        assertEquals(List.of(WELL), new DeviceJob(SeveralGpus.class).set("SOFTWARE_CUDA_DEVICES", "2").run(2).lines());
    }

    /** The same two in another order; and one GPU in common, which each numbers otherwise. */
    @ParameterizedTest
    @ValueSource(strings = {"0,1/1,0", "0,1/2,0"})
    @Nightly("'2,1/0,2'")
    void eachRankUsesAllThatItSees(String visible) throws Exception {
        assertEquals(List.of(WELL), lines(new DeviceJob(SeveralGpus.class), visible));
    }

    /** Each has its own; the one sees more than the other; both have the same. */
    @ParameterizedTest
    @ValueSource(strings = {OWN, "2/1,0"})
    @Nightly({"'0,1/1'", "0/0"})
    void messages(String visible) throws Exception {
        assertEquals(List.of(WELL), lines(new DeviceJob(DeviceMessages.class, "sizes"), visible));
    }

    /** Two ranks share a GPU, of which the third knows nothing. */
    @ParameterizedTest
    @ValueSource(strings = "1,0/1/0,2")
    @Nightly({OWN + "/2", OWN + "/0"})
    void collectives(String visible, @TempDir Path directory) throws Exception {
        assertEquals(List.of(WELL),
            lines(new DeviceJob(CallAudit.class, "collectives", directory.toString(), CallAudit.ROTATING), visible));
    }

    @ParameterizedTest
    @ValueSource(strings = "allreduce")
    @Nightly("bcast")
    void everyAlgorithm(String collective) throws Exception {
        List<String> lines = lines(new DeviceJob(VerifyRank.class, "0", collective, "all", "device", "brief"), OWN);
        assertTrue(lines.get(lines.size() - 1).contains(" 0 wrong results"), () -> String.join("\n", lines));
        assertTrue(lines.stream().noneMatch(line -> line.startsWith("no kernels")), () -> String.join("\n", lines));
    }

    @ParameterizedTest
    @ValueSource(strings = {"registered", "graphs"})
    void onStreams(String claim) throws Exception {
        assertEquals(List.of(WELL), lines(new DeviceJob(StreamTrial.class, claim), OWN));
    }

    @Test
    void residentKernels() throws Exception {
        assertEquals(List.of(WELL),
            lines(new DeviceJob(ResidentTrial.class, "mixed", "300", "200").set("BRIGADE_DEVICE_RESIDENT", "on")
                .set("CUDA_MODULE_LOADING", "EAGER").set("BRIGADE_DEVICE_RESIDENT_IDLE", "300"), OWN));
    }

    @Test
    void windows() throws Exception {
        assertEquals(Set.of("rank 0 finalized", "rank 1 finalized"),
            new TreeSet<>(lines(new DeviceJob(WindowTrial.class, "model", "d", "true"), OWN)));
    }
}

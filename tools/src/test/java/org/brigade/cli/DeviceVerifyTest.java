package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.brigade.cli.verify.VerifyRank;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code brigade verify --space device} finds nothing wrong on the software driver: every collective by every
 * algorithm, with all ranks processes and all kernels those that GPUs run.
 */
@Timeout(400)
@Tag("once") // DeviceCollectivesTest has the same calls on the other JDK
class DeviceVerifyTest {
    private static final Pattern SUMMARY = Pattern.compile("(\\d+) calls on (\\d+) ranks, 0 wrong results");

    /** Here, as it may take longer than a test. */
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static void assertGood(int ranks, int gpus, int calls, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("verify", "--space", "device", "--np", "" + ranks, "-J",
            "-Djava.io.tmpdir=" + SoftwareCuda.temporary(), "-J",
            "-XX:TieredStopAtLevel=1"));
        arguments.addAll(List.of(options));
        DeviceJob job =
            new DeviceJob(Brigade.class, arguments.toArray(new String[0])).set("SOFTWARE_CUDA_DEVICES", "" + gpus);
        List<String> lines = job.alone().lines();
        Matcher summary = SUMMARY.matcher(lines.get(lines.size() - 1));
        assertTrue(summary.matches(), () -> String.join("\n", lines));
        assertEquals("" + ranks, summary.group(2));
        assertTrue(Integer.parseInt(summary.group(1)) >= calls, "too few calls:\n" + String.join("\n", lines));
    }

    @Tag("nightly")
    @Test
    void allOperationsOnAllTypesAreRightBetweenTwoGpus() throws Exception {
        assertGood(2, 2, 6000);
    }

    @Test
    void twoRanksOnAGpuEachAreRight() throws Exception {
        assertGood(2, 2, 700, "--brief");
    }

    @Tag("nightly")
    @Test
    void fourRanksOnTwoGpusAreRight() throws Exception {
        assertGood(4, 2, 700, "--brief");
    }

    /** No kernel reaches another node, so forcing one changes nothing, and is no error. */
    @Test
    void ranksOnTwoNodesAreRightWithoutKernels() throws Exception {
        List<String> lines = new DeviceJob(VerifyRank.class, "0", "reduce-scatter", "all", "device", "brief")
            .option("--nodes").option("2").option("--fabric").option("sisci").set("SOFTWARE_CUDA_DEVICES", "2").run(2)
            .lines();
        assertTrue(lines.contains("no kernels, as not all ranks can reach each other's GPUs: all calls are staged"),
            () -> String.join("\n", lines));
        assertTrue(SUMMARY.matcher(lines.get(lines.size() - 1)).matches(), () -> String.join("\n", lines));
    }

    /** Orders concern rings and chains. */
    @ParameterizedTest
    @ValueSource(strings = {"allreduce/ring", "bcast/chain"})
    void threeRanksOnAGpuEachAreRightInAnOrderThatIsForced(String algorithm) throws Exception {
        assertGood(3, 3, 10, "--brief", "--algorithm", algorithm, "-J", "-Dbrigade.ring.order=0,2,1");
    }
}

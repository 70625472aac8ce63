package org.brigade.transport.cuda.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.nightly.Nightly;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Groups of real processes on the software driver, without a communicator above them; {@link GroupTrial} is what the
 * ranks run.
 */
@Timeout(300)
@Tag("once") // DeviceMessagesTest and DeviceCollectivesTest use groups on the other JDK
@Tag("slow")
class GroupTest {
    /** Here, as it may take longer than a test. */
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static void assertWell(int ranks, DeviceJob job) throws Exception {
        Set<String> all = new TreeSet<>();
        for (int rank = 0; rank < ranks; rank++) {
            all.add("rank " + rank + " is well");
        }
        assertEquals(all, new TreeSet<>(job.run(ranks).lines()));
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "3, 2", "2, 1"})
    @Nightly("2, 2")
    void collectivesGiveWhatMpiSays(int ranks, String gpus) throws Exception {
        assertWell(ranks, new DeviceJob(GroupTrial.class, "collectives").set("SOFTWARE_CUDA_DEVICES", gpus));
    }

    /** All together, if one member's driver is old. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "1@1"})
    void withoutWordsOfStreamsTheyGiveTheSame(String refused) throws Exception {
        assertWell(2, new DeviceJob(GroupTrial.class, "collectives").set("SOFTWARE_CUDA_REFUSE_WORDS", refused));
    }

    @ParameterizedTest
    @ValueSource(ints = 3)
    @Nightly("2")
    void callsGoOnWhenTheirNumbersWrapAround(int ranks) throws Exception {
        assertWell(ranks, new DeviceJob(GroupTrial.class, "epochs").set("SOFTWARE_CUDA_DEVICES", "" + ranks));
    }

    /** By the ring's order, and chains that follow it or have orders of their own, between calls by rank. */
    @ParameterizedTest
    @CsvSource({"3, ordered-collectives", "4, collectives-by-chains", "3, ordered-epochs"})
    @Nightly({"4, ordered-collectives", "3, collectives-by-chains"})
    void kernelsThatFollowWiresGiveWhatMpiSays(int ranks, String trial) throws Exception {
        assertWell(ranks, new DeviceJob(GroupTrial.class, trial).set("SOFTWARE_CUDA_DEVICES", "" + ranks));
    }

    @ParameterizedTest
    @CsvSource({"4, 4", "4, 2"})
    @Nightly({"2, 2", "8, 8", "4, 1"})
    void pairsGiveWhatMpiSays(int ranks, String gpus) throws Exception {
        assertWell(ranks, new DeviceJob(GroupTrial.class, "pairs").set("SOFTWARE_CUDA_DEVICES", gpus));
    }

    @Test
    void scratchMemoryStaysWhileAMembersKernelMayWriteThere() throws Exception {
        assertWell(2, new DeviceJob(GroupTrial.class, "late-kernel"));
    }

    @Test
    void buffersMayComeAndGoAtTheSameAddresses() throws Exception {
        assertWell(2, new DeviceJob(GroupTrial.class, "reallocate"));
    }

    @ParameterizedTest
    @CsvSource({"SOFTWARE_CUDA_REFUSE_IPC, 1, the ranks must share one pid and ipc namespace",
        "SOFTWARE_CUDA_REFUSE_IPC, 1@1, the ranks must share one pid and ipc namespace",
        "SOFTWARE_CUDA_REFUSE_PEERS, 1, these two GPUs cannot reach each other's memory"})
    void whereTheDriverRefusesNobodyHasAGroupAndOneRankSaysWhy(String setting, String value, String reason)
        throws Exception {
        List<String> lines =
            new ArrayList<>(new DeviceJob(GroupTrial.class, "refused").set(setting, value).run(2).lines());
        assertEquals(1,
            lines.stream().filter(line -> line.contains("go through host memory") && line.contains(reason)).count(),
            lines::toString);
        assertTrue(lines.containsAll(List.of("rank 0 is well", "rank 1 is well")) && lines.size() == 3,
            lines::toString);
    }

    @Test
    void noKernelWaitsForARankThatIsLost() throws Exception {
        assertNoticed(new DeviceJob(GroupTrial.class, "lost"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy-engine", "chain", "paired"})
    void noStreamWaitsForARankThatIsLost(String algorithm) throws Exception {
        assertNoticed(new DeviceJob(GroupTrial.class, "lost-root", algorithm));
    }

    private static void assertNoticed(DeviceJob job) throws Exception {
        String printed = job.run(2).text();
        assertTrue(printed.contains("rank 1 leaves") && printed.contains("rank 0 noticed: ")
            && printed.contains("rank 0 is well"), printed);
    }
}

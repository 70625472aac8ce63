package org.brigade.transport.cuda.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
 * Resident mode in real processes on the software driver; {@link ResidentTrial} and {@link GroupTrial} are what the
 * ranks run.
 */
@Timeout(300)
@Tag("once")
class ResidentTest {
    private static final List<String> WELL = List.of("all is well");

    /** Here, as it may take longer than a test. */
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static DeviceJob resident(Class<?> program, String... arguments) {
        return new DeviceJob(program, arguments).set("BRIGADE_DEVICE_RESIDENT", "on")
            .set("CUDA_MODULE_LOADING", "EAGER").set("SOFTWARE_CUDA_DEVICES", "3");
    }

    /**
     * Leaving at once, about when the next call comes, and hardly ever; a block for small calls, for all, and all
     * blocks for all.
     */
    @ParameterizedTest
    @Nightly({"2, 200, 8K, 3", "2, 300, 0, 2"})
    @CsvSource({"2, 1, 8K, 3", "3, 300, 64, 2", "2, 10000, 64K, 1"})
    void callsOfAllKindsGiveWhatTheyShould(int ranks, String idle, String single, String blocks) throws Exception {
        DeviceJob job = resident(ResidentTrial.class, "mixed", "300", idle.length() > 3 ? "0" : "200")
            .set("BRIGADE_DEVICE_RESIDENT_IDLE", idle);
        assertEquals(WELL, job.set("BRIGADE_DEVICE_RESIDENT_SINGLE", single)
            .set("BRIGADE_DEVICE_RESIDENT_BLOCKS", blocks).run(ranks).lines());
    }

    /** If each had one, that launch would fail. */
    @Test
    void notEveryCallHasALaunch() throws Exception {
        assertEquals(WELL, resident(ResidentTrial.class, "unasked", "200").set("BRIGADE_DEVICE_RESIDENT_IDLE", "10000")
            .set("SOFTWARE_CUDA_FAIL_LAUNCH", "390").run(2).lines());
    }

    @Test
    void noCallWaitsForTheDeviceOnWhichItStays() throws Exception {
        assertEquals(WELL, resident(ResidentTrial.class, "steady", "50").run(2).lines());
    }

    @ParameterizedTest
    @ValueSource(strings = {"driver", "communicators"})
    void aKernelThatStaysIsInNobodysWay(String what) throws Exception {
        assertEquals(WELL,
            resident(ResidentTrial.class, what).set("BRIGADE_DEVICE_RESIDENT_IDLE", "5000").run(2).lines());
    }

    @ParameterizedTest
    @ValueSource(ints = 3)
    @Nightly("2")
    void groupsGiveWhatMpiSays(int ranks) throws Exception {
        Set<String> all = new TreeSet<>();
        for (int rank = 0; rank < ranks; rank++) {
            all.add("rank " + rank + " is well");
        }
        assertEquals(all, new TreeSet<>(resident(GroupTrial.class, "collectives").run(ranks).lines()));
    }

    @Test
    void itDoesNotWaitForARankThatIsLost() throws Exception {
        String printed = resident(GroupTrial.class, "lost").run(2).text();
        assertTrue(printed.contains("rank 1 leaves") && printed.contains("rank 0 noticed: ")
            && printed.contains("rank 0 is well"), printed);
    }

    @ParameterizedTest
    @CsvSource({"3, LAZY, set CUDA_MODULE_LOADING=EAGER", "1, EAGER, ranks share a GPU"})
    void whereItIsRefusedOneLineSaysWhyAndCallsHaveLaunches(String gpus, String loading, String reason)
        throws Exception {
        List<String> lines = resident(ResidentTrial.class, "many", "20").set("SOFTWARE_CUDA_DEVICES", gpus)
            .set("CUDA_MODULE_LOADING", loading).run(2).lines();
        assertEquals(2, lines.size(), lines::toString);
        assertTrue(lines.contains(WELL.get(0)), lines::toString);
        assertEquals(1, lines.stream()
            .filter(line -> line.startsWith("brigade: no resident mode") && line.contains(reason)).count(),
            lines::toString);
    }
}

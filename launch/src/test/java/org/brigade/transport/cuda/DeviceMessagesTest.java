package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.nightly.Nightly;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Point-to-point messages in device memory, between processes on the software driver. */
@Timeout(400)
@Tag("once") // with many processes; the code behind is the same on every JDK
class DeviceMessagesTest {
    private static final List<String> WELL = List.of("all is well");

    @ParameterizedTest
    @ValueSource(strings = {"sizes", "pooled", "truncated", "reused", "self", "schedules", "gaps"})
    void betweenTwoProcesses(String claim) throws Exception {
        assertEquals(WELL, new DeviceJob(DeviceMessages.class, claim).run(2).lines());
    }

    @ParameterizedTest
    @CsvSource({"1, SOFTWARE_CUDA_DEVICES, 1", "2, SOFTWARE_CUDA_REFUSE_IPC, 1@1", "2, SOFTWARE_CUDA_REFUSE_WORDS, 1",
        "2, SOFTWARE_CUDA_DELAYS, 5"})
    @Nightly({"2, SOFTWARE_CUDA_REFUSE_IPC, 1", "2, SOFTWARE_CUDA_REFUSE_PEERS, 1"})
    void whateverTheDriverAllows(int devices, String setting, String value) throws Exception {
        assertEquals(WELL, new DeviceJob(DeviceMessages.class, "sizes").set("SOFTWARE_CUDA_DEVICES", "" + devices)
            .set(setting, value).run(2).lines());
    }

    /** Also with all the patience that there is for short ones, and with none. */
    @ParameterizedTest
    @CsvSource({"0, 10", "8192, 1000000", "8192, 0"})
    void allMayStayInDeviceMemory(int direct, int patience) throws Exception {
        assertEquals(WELL, new DeviceJob(DeviceMessages.class, "sizes").option("-Dbrigade.cuda.direct=" + direct)
            .option("-Dbrigade.cuda.patience=" + patience).set("SOFTWARE_CUDA_DELAYS", "5").run(2).lines());
    }

    /** A setting of the user's, under which the driver's "not ready" is an exception. */
    @ParameterizedTest
    @ValueSource(strings = "0")
    @Nightly("1")
    void jcudasExceptionsMakeNoDifference(String refused) throws Exception {
        assertEquals(WELL,
            new DeviceJob(DeviceMessages.class, "sizes").option("-Djcuda.exceptions=true")
                .set("SOFTWARE_CUDA_REFUSE_IPC", refused).set("SOFTWARE_CUDA_DELAYS", "5")
                .run(2).lines());
    }

    @Test
    void manyMessagesAtOnceAmongThreeRanks() throws Exception {
        assertEquals(WELL, new DeviceJob(DeviceMessages.class, "crowd").set("SOFTWARE_CUDA_DEVICES", "3")
            .set("SOFTWARE_CUDA_DELAYS", "3").run(3).lines());
    }

    /** By a packet, through the ring, from the outbox, and through the staging area. */
    @ParameterizedTest
    @CsvSource({"0, 32, 0", "1, 4096, 0", "0, 100000, 0", "1, 100000, 0", "0, 300000, 1"})
    @Nightly({"1, 32, 0", "0, 4096, 0", "1, 300000, 1"})
    void aLaunchThatIsRefusedIsAnErrorOfItsCall(int failing, int bytes, String staged) throws Exception {
        assertEquals(WELL, new DeviceJob(DeviceMessages.class, "refused", "" + failing, "" + bytes)
            .set("SOFTWARE_CUDA_FAIL_LAUNCH", "1@" + failing).set("SOFTWARE_CUDA_REFUSE_IPC", staged).run(2).lines());
    }

    /** Between nodes they go by way of the hosts; within a node, beside that, as ever. */
    @ParameterizedTest
    @CsvSource({"sizes, 2, 2, block", "truncated, 2, 2, block", "schedules, 2, 2, block", "crowd, 3, 2, node"})
    void betweenNodes(String claim, int ranks, int nodes, String map) throws Exception {
        DeviceJob job = new DeviceJob(DeviceMessages.class, claim).option("--nodes").option("" + nodes).option("--map")
            .option(map).option("-Dbrigade.fabric=pretended");
        assertEquals(WELL, job.set("SOFTWARE_CUDA_DEVICES", "3").run(ranks).lines());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "10"})
    void aVeryLongMessageByOneWayAndByTwo(String share) throws Exception {
        assertEquals(WELL,
            new DeviceJob(DeviceMessages.class, "long").option("-Dbrigade.cuda.hostshare=" + share).run(2).lines());
    }

    /** A kernel carries them, launched anew after the pause, and stays between them. */
    @Test
    void shortMessagesThatFollowEachOtherClosely() throws Exception {
        assertEquals(WELL, new DeviceJob(DeviceMessages.class, "close").option("-Dbrigade.cuda.stay=1000000")
            .option("-Dbrigade.cuda.patience=1000000").run(2).lines());
    }

    @Test
    void aSenderThatDiesInTheMiddleOfAMessageIsNamed() throws Exception {
        DeviceJob.Ended ended = new DeviceJob(DeviceMessages.class, "dies").set("SOFTWARE_CUDA_REFUSE_IPC", "1").run(2);
        assertNotEquals(0, ended.code());
        assertTrue(ended.text().contains("rank 0"), ended.text());
    }
}

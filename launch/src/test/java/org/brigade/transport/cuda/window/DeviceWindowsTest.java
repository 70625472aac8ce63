package org.brigade.transport.cuda.window;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

/** Windows on device memory, between processes on the software driver. */
@Timeout(300)
@Tag("once") // with many processes; the code behind is the same on every JDK
class DeviceWindowsTest {
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static DeviceJob job(String... arguments) {
        return new DeviceJob(WindowTrial.class, arguments);
    }

    private static void assertWell(int ranks, DeviceJob job) throws Exception {
        assertEquals(IntStream.range(0, ranks).mapToObj(rank -> "rank " + rank + " finalized")
            .collect(Collectors.toCollection(TreeSet::new)), new TreeSet<>(job.run(ranks).lines()));
    }

    /**
     * Windows of d, device memory; p, that of a pool; h, direct buffers; e, heap buffers; a, arrays; z, nothing; n,
     * direct buffers of a rank that knows nothing of CUDA. By messages if one rank cannot reach one other.
     */
    @ParameterizedTest
    @CsvSource({"1, d, false", "4, dhzd, false", "3, dpe, true", "2, da, true", "3, dnd, true"})
    @Nightly({"2, d, false", "3, d, false", "2, dh, false", "2, p, true"})
    void memoryIsThatOfTheModel(int ranks, String kinds, boolean messages) throws Exception {
        assertWell(ranks, job("model", kinds, "" + !messages));
    }

    @ParameterizedTest
    @CsvSource({"2, SOFTWARE_CUDA_REFUSE_IPC, 1", "2, SOFTWARE_CUDA_REFUSE_PEERS, 1"})
    void memoryThatCannotBeMappedIsReachedByMessages(int ranks, String setting, String value) throws Exception {
        assertWell(ranks, job("model", "d", "false").set(setting, value));
    }

    @Test
    void memoryOfOtherNodesIsReachedByMessages() throws Exception {
        assertWell(4, job("model", "dhde", "false").option("--nodes").option("2")
            .option("-Dbrigade.fabric=pretended"));
    }

    @Test
    void ranksOfOneProcessReachAllKindsOfMemory() throws Exception {
        assertEquals(List.of("all is well"), job("threads").alone().lines());
    }

    @Test
    void alsoWithJCudasExceptionsAndDelays() throws Exception {
        assertWell(2, job("model", "d", "true").option("-Djcuda.exceptions=true").set("SOFTWARE_CUDA_DELAYS", "7"));
    }

    /** One rank maps the others' memory, and the others send messages, or the other way round. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "1@0", "1@1"})
    void accumulatesAreAtomicWhicheverWayTheyTake(String refused) throws Exception {
        assertWell(3, job("atomics", "d").set("SOFTWARE_CUDA_REFUSE_IPC", refused));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void windowsComeAndGo(String firstCloseEnds) throws Exception {
        assertWell(3, job("comeAndGo", "d").set("SOFTWARE_CUDA_FIRST_CLOSE_ENDS", firstCloseEnds));
    }

    @Test
    void whatIsWrongIsAnErrorThatTouchesNothing() throws Exception {
        assertWell(2, job("errors", "d"));
    }

    @ParameterizedTest
    @CsvSource({"lock, 0", "lock, 1", "fence, 0", "put, 1"})
    @Nightly("fence, 1")
    void theOthersHearOfARankThatDies(String where, String refused) throws Exception {
        DeviceJob.Ended job = job("dies", "d", where).set("SOFTWARE_CUDA_REFUSE_IPC", refused).run(3);
        Set<String> said = new TreeSet<>(job.text().lines().filter(line -> line.startsWith("rank ")).toList());
        assertEquals(Set.of("rank 0 heard of it", "rank 2 heard of it", "rank 0 finalized", "rank 2 finalized"), said,
            job.text());
        assertEquals(128 + 9, job.code(), job.text());
    }
}

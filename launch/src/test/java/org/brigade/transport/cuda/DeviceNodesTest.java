package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.brigade.launch.HostLauncher;
import org.brigade.nightly.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Device memory over the software libsisci, between processes on the software driver, in all its modes. */
@Timeout(400)
@Tag("once")
class DeviceNodesTest {
    private static final String SENTENCE = "DMA cannot send device memory to node ";

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static DeviceJob job(Class<?> program, String claim, String mode, String fault) {
        DeviceJob job = new DeviceJob(program, claim).option("--nodes").option("2").option("--fabric").option("sisci")
            .set("SOFTWARE_CUDA_DEVICES", "2");
        // So that DMA carries messages here, too, where all that crosses is memory.
        job.option("-Dbrigade.sisci.crossover=65536");
        if (mode != null) {
            job.set("BRIGADE_SISCI_MODE", mode);
        }
        return fault == null ? job : job.set("BRIGADE_SISCI_FAULT", fault);
    }

    private static void assertWell(DeviceJob.Ended ended, String said, int nodes) {
        List<String> lines = ended.lines();
        assertTrue(lines.contains("all is well"), ended.text());
        List<String> sentences = lines.stream().filter(line -> line.contains(SENTENCE)).toList();
        assertEquals(said == null ? 0 : nodes, sentences.size(), ended.text());
        assertTrue(sentences.stream().allMatch(line -> line.contains(said)), ended.text());
    }

    /** Each node says once what it found, and what it does about it. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', nullValues = "-",
        value = {"-; -; -", "-; iommu=broken; SCI_ERR_ILLEGAL_ADDRESS", "-; attach=refused; SCI_ERR_HW_NOSPC",
            "-; attach=silent; something else arrives", "weak=5; sequence=retriable@5; -", "timed; -; -"})
    void collectivesAndMessagesOfTwoNodes(String mode, String fault, String said) throws Exception {
        assertWell(job(DeviceNodes.class, "1", mode, fault).run(2), said, 2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', nullValues = "-",
        value = "weak=6; -; -")
    @Nightly(delimiter = ';', value = "; iommu=broken; SCI_ERR_ILLEGAL_ADDRESS")
    void collectivesAndMessagesOfTwoRanksOnEachOfTwoNodes(String mode, String fault, String said) throws Exception {
        assertWell(job(DeviceNodes.class, "1", mode, fault).run(4), said, 2);
    }

    /** As between ranks of one node: freed memory, messages that are too long, host and device memory mixed. */
    @ParameterizedTest
    @ValueSource(strings = {"sizes", "pooled", "truncated", "reused", "schedules"})
    void messagesAsWithinANode(String claim) throws Exception {
        assertTrue(job(DeviceMessages.class, claim, null, null).set("SOFTWARE_CUDA_DELAYS", "5").run(2).lines()
            .contains("all is well"));
    }

    @Test
    void manyMessagesAtOnceAmongThreeRanks() throws Exception {
        assertTrue(job(DeviceMessages.class, "crowd", "weak=7", null).run(3).lines().contains("all is well"));
    }

    /**
     * Whose links know host memory only; or device memory as well, as the memory of the software driver is any
     * library's.
     */
    @ParameterizedTest
    @ValueSource(strings = {"off", "on"})
    void overTheHostsMpi(String cuda) throws Exception {
        DeviceJob job =
            new DeviceJob(DeviceNodes.class, "1").within(HostLauncher.ranks("openmpi", 3).toArray(new String[0]))
                .set("BRIGADE_EMULATED_NODES", "0,1,1").set("BRIGADE_MPI_CUDA", cuda);
        HostLauncher.ENVIRONMENT.forEach(job::set);
        assertTrue(job.set("SOFTWARE_CUDA_DEVICES", "2").alone().lines().contains("all is well"));
    }

    @Test
    void withoutItBeingWantedNothingIsAttached() throws Exception {
        assertWell(job(DeviceNodes.class, "1", null, "attach=silent").option("-Dbrigade.sisci.gpudirect=0").run(2),
            null, 2);
    }
}

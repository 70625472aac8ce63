package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that die in the middle of calls on device memory: no kernel spins on, and the job ends, or goes on without them
 * where errors are returned. On the software driver.
 */
@Timeout(300)
@Tag("once") // with many processes; the code behind is the same on every JDK
class DeviceDeathsTest {
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static DeviceJob job(String where, String... more) {
        String[] arguments = more.length == 0 ? new String[] {where} : new String[] {where, more[0]};
        DeviceJob job = new DeviceJob(DeviceFaults.class, arguments).set("SOFTWARE_CUDA_DEVICES", "3");
        if (where.equals("kernel") || where.equals("stuck")) {
            job.set("SOFTWARE_CUDA_HANG_LAUNCH", "3@1");
        }
        if (where.equals("stuck")) {
            job.set("SOFTWARE_CUDA_SLOW_LAUNCH", "3@0");
        }
        return job;
    }

    /**
     * announce: rank 1 never comes to the call; kernel: its kernel never begins, so theirs wait; loop: it dies at any
     * moment; stuck: the same, and rank 0 is inside the launch meanwhile; pool: staged; pull, push: messages by mapped
     * memory.
     */
    @ParameterizedTest
    @ValueSource(strings = {"announce", "kernel", "stuck", "loop", "pool", "pull", "push"})
    void survivorsHearOfItAndGoOnOnTheirGpus(String where) throws Exception {
        assertSurvived(job(where, "return").run(3));
    }

    private static void assertSurvived(DeviceJob.Ended ended) {
        Set<String> said = new TreeSet<>(ended.text().lines().filter(line -> line.startsWith("rank ")).toList());
        assertEquals(Set.of("rank 0 heard of it", "rank 2 heard of it", "rank 0 finalized", "rank 2 finalized"), said,
            ended.text());
        assertEquals(128 + 9, ended.code(), ended.text());
    }

    @Test
    void survivorsHearOfItFromAResidentKernel() throws Exception {
        assertSurvived(
            job("loop", "return").option("-Dbrigade.device.resident=on").set("CUDA_MODULE_LOADING", "EAGER").run(3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kernel", "stuck", "pool"})
    void byDefaultItEndsTheJob(String where) throws Exception {
        DeviceJob.Ended ended = job(where).run(3);
        assertNotEquals(0, ended.code(), ended.text());
        assertFalse(ended.text().contains("heard of it") || ended.text().contains("finalized"), ended.text());
        assertTrue(ended.text().contains("rank 1 of 3 was killed by signal 9")
            || ended.text().matches("(?s).*rank 1 \\(pid \\d+\\) died.*"), ended.text());
    }

    @Test
    void aRevokedCommunicatorLetsRanksGoThatWaitOnTheirDevices() throws Exception {
        assertEquals(Set.of("rank 0 finalized", "rank 1 finalized", "rank 2 finalized"),
            new TreeSet<>(job("revoked", "return").run(3).lines()));
    }

    @Test
    void oneThatIsStoppedIsWaitedFor() throws Exception {
        assertEquals(Set.of("rank 0 finalized", "rank 1 finalized", "rank 2 finalized"),
            new TreeSet<>(job("stopped", "return").run(3).lines()));
    }

    @Test
    void oneThatExitsInTheMiddleEndsTheJob() throws Exception {
        DeviceJob.Ended ended = job("exit").set("SOFTWARE_CUDA_HANG_LAUNCH", "2@0").run(3);
        assertNotEquals(0, ended.code(), ended.text());
        assertTrue(ended.text().matches("(?s).*rank 1 .*exited (without|with code 3).*"), ended.text());
        assertFalse(ended.text().contains("threw") || ended.text().contains("rank 1 of 3, waiting")
            || ended.text().contains("finalized"), ended.text());
    }

    @Test
    void oneThatThrowsWhileTheOthersWaitEndsTheJob() throws Exception {
        DeviceJob.Ended ended = job("throw").run(3);
        assertNotEquals(0, ended.code(), ended.text());
        assertTrue(ended.text().contains("rank 1 of 3 threw java.lang.IllegalStateException"), ended.text());
    }
}

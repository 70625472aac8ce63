package org.brigade.transport.cuda.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.brigade.nightly.Nightly;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nonblocking and persistent collectives on device memory, between processes on the software driver. Its
 * multiprocessors have room for one block each, so launches that need more of the device than there is would wait for
 * each other for ever.
 */
@Timeout(300)
@Tag("slow")
@Tag("once")
class DeviceQueuesTest {
    private static final List<String> WELL = List.of("all is well");

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static DeviceJob job(int ranks, String... arguments) {
        return new DeviceJob(QueueTrial.class, arguments).set("SOFTWARE_CUDA_DEVICES", "" + ranks)
            .set("SOFTWARE_CUDA_RESIDENT", "1").set("SOFTWARE_CUDA_DELAYS", "7")
            .option("-Dbrigade.bcast.device.algorithm=scatter-allgather");
    }

    @ParameterizedTest
    @CsvSource({"orders, 3, lines", "kinds, 3, lines", "starts, 3, lines"})
    @Nightly({"orders, 2, lines", "starts, 2, lines", "orders, 2, two-shot"})
    void amongProcesses(String claims, int ranks, String allreduce) throws Exception {
        DeviceJob job = job(ranks, claims);
        if (!allreduce.equals("lines")) {
            job.option("-Dbrigade.allreduce.device.algorithm=" + allreduce);
        }
        assertEquals(WELL, job.run(ranks).lines());
    }

    /** Mixed memory, more calls than announcements, mistakes, communicators freed early: in one job. */
    @Test
    void callsThatDoNotRunOnDevicesAreRightToo() throws Exception {
        assertEquals(WELL, job(2, "many", "mixed", "mistakes", "freed", "streams").run(2).lines());
    }

    /** Mixed memory, more calls than slots, mistakes, calls that outlive their communicators: in one job. */
    @Test
    void persistentCallsThatDoNotRunOnDevicesAreRightToo() throws Exception {
        assertEquals(WELL,
            job(2, "starts-mixed", "starts-many", "starts-mistakes", "starts-outlive").run(2).lines());
    }

    /** A rank that computes does not let the others wait. */
    @Test
    void aCallGoesOnWhileARankIsNotInMpi() throws Exception {
        Path sign = Files.createTempFile("queue", ".sign");
        Files.delete(sign);
        try {
            assertEquals(WELL, job(2, "late=" + sign).run(2).lines());
        } finally {
            Files.deleteIfExists(sign);
        }
    }

    @ParameterizedTest
    @CsvSource({"killed-before", "killed-after", "starts-killed"})
    void theLossOfARankIsAnErrorOfTheCallsThatWaitForIt(String claim) throws Exception {
        DeviceJob job = job(3, claim);
        if (claim.equals("killed-after")) {
            job.set("SOFTWARE_CUDA_HANG_LAUNCH", "2@1");
        }
        String text = job.run(3).text();
        assertTrue(text.contains("rank 0 has heard of it") && text.contains("rank 2 has heard of it"), text);
    }
}

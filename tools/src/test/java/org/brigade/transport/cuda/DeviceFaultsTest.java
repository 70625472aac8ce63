package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.brigade.transport.shm.SegmentDescriptor;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is wrong with device memory is an error that says so, or goes by way of the host by itself, and the job goes
 * on. On the software driver.
 */
@Timeout(300)
@Tag("slow")
@Tag("once")
class DeviceFaultsTest {
    private static final Set<String> WELL = Set.of("rank 0 finalized", "rank 1 finalized");

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static DeviceJob job(String what) {
        return new DeviceJob(DeviceFaults.class, what);
    }

    private static void assertWell(DeviceJob job) throws Exception {
        assertEquals(WELL, new TreeSet<>(job.run(2).lines()));
    }

    /** Too short, freed, never allocated, on another GPU: each is an error that names call, rank, buffer and cure. */
    @Test
    void aBadBufferIsAnErrorAndTheJobGoesOn() throws Exception {
        assertWell(job("arguments").set("SOFTWARE_CUDA_DEVICES", "3"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"freed", "left", "pooled"})
    void memoryThatComesAndGoesIsSeenForWhatItIs(String what) throws Exception {
        assertWell(job(what));
    }

    @Test
    void aLaunchThatFailsIsAnErrorOnAllRanksAndTheJobGoesOn() throws Exception {
        assertWell(job("launch").set("SOFTWARE_CUDA_FAIL_LAUNCH", "2@1"));
    }

    @Test
    void aLaunchThatFailsIsAnErrorWhereOnlyHostsWaitForIt() throws Exception {
        DeviceJob job = job("untold").set("SOFTWARE_CUDA_FAIL_LAUNCH", "1@1");
        assertEquals(WELL, new TreeSet<>(job.option("-Dbrigade.allgather.device.algorithm=push").run(2).lines()));
    }

    /** Said once, with the rank and the reason. */
    @ParameterizedTest
    @CsvSource({
        "SOFTWARE_CUDA_REFUSE_PEERS, 1, rank 0: the scratch memory of member 1 cannot be mapped: cuIpcOpenMemHandle on"
            + " GPU 0 answers CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
        "SOFTWARE_CUDA_REFUSE_IPC, 1@1, rank 1: the scratch memory of member 0 cannot be mapped: cuIpcOpenMemHandle on"
            + " GPU 1 answers CUDA_ERROR_MAP_FAILED",
        "SOFTWARE_CUDA_MEMORY, 20000000@1, rank 1: MPI_ERR_NO_MEM: device memory: cuMemAlloc of 64 MiB of scratch"
            + " memory on GPU 1 answers CUDA_ERROR_OUT_OF_MEMORY"})
    void whatTheDriverRefusesGoesByWayOfTheHost(String setting, String value, String reason) throws Exception {
        List<String> lines = job("staged").set(setting, value).run(2).lines();
        assertEquals(1,
            lines.stream()
                .filter(line -> line
                    .startsWith("brigade: collectives of 2 ranks on device memory go through host memory: " + reason))
                .count(),
            lines::toString);
        assertTrue(lines.containsAll(WELL), lines::toString);
    }

    @Test
    void aRankMayRefuseToMapTheOthersMemory() throws Exception {
        List<String> lines = job("staged").set("BRIGADE_CUDA_PEERS", "off").run(2).lines();
        assertEquals(1, lines.stream().filter(line -> line.equals("brigade: collectives of 2 ranks on device memory go"
            + " through host memory: rank 0: the scratch memory of member 1 is not mapped: brigade.cuda.peers is off"
            + " there")).count(), lines::toString);
        assertTrue(lines.containsAll(WELL), lines::toString);
    }

    /** Half of the GPUs reach each other: kernels there, and one line a kind of communicator where they do not. */
    @Test
    void whereHalfOfTheGpusReachEachOtherThoseUseKernels() throws Exception {
        List<String> lines =
            job("apart").set("SOFTWARE_CUDA_DEVICES", "4").set("SOFTWARE_CUDA_REFUSE_PEERS", "2").run(4)
                .lines();
        assertEquals(4, lines.stream().filter(line -> line.endsWith("finalized")).count(), lines::toString);
        assertEquals(3, lines.stream().filter(line -> line.contains("go through host memory")).count(),
            lines::toString);
    }

    /** By pairwise, which only the two ends of a pair know the counts of: nobody waits. */
    @Test
    void countsThatDoNotFitAreAnErrorOnAllRanksAndNobodyWaits() throws Exception {
        List<String> lines = job("counts").set("SOFTWARE_CUDA_DEVICES", "3").run(3).lines();
        assertEquals(3, lines.stream().filter(line -> line.endsWith("finalized")).count(), lines::toString);
    }

    /** With works that begin late, and three ranks on two GPUs. */
    @Test
    void threadsMayMakeTheirFirstCallsAtOnceAndBeInterrupted() throws Exception {
        List<String> lines = job("crowd").set("SOFTWARE_CUDA_DEVICES", "2").set("SOFTWARE_CUDA_DELAYS", "11").run(3)
            .lines();
        assertEquals(3, lines.stream().filter(line -> line.endsWith("finalized")).count(), lines::toString);
    }

    /** In a mount namespace of its own, with a /dev/shm that has little more room than the job's segment takes. */
    @Test
    void withoutRoomInSharedMemoryMessagesGoThroughTheRing() throws Exception {
        Assumptions.assumeTrue(
            new ProcessBuilder("unshare", "-m", "true").redirectErrorStream(true).start().waitFor() == 0,
            "no mount namespaces here");
        String room = SegmentDescriptor.forRanks(2).bytes() / 1024 + 200 + "k";
        List<String> lines = job("pooled")
            .within("unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=$0 tmpfs /dev/shm && exec \"$@\"", room).run(2)
            .lines();
        assertTrue(lines.containsAll(WELL), lines::toString);
    }

    @Test
    void withoutADriverTheErrorNamesIt() throws Exception {
        DeviceJob.Ended ended = new DeviceJob(WithoutCuda.class, "driver").set("LD_LIBRARY_PATH", "").run(2);
        assertEquals(0, ended.code(), ended.text());
        assertEquals(2, ended.text().lines().filter(line -> line.contains(
            "buf is a pointer to device memory, but CUDA is not available: libcuda.so.1 is missing; install NVIDIA's"
                + " driver"))
            .count(),
            ended.text());
    }

    /** The program's class loader has JCuda, and Brigade's has not. */
    @Test
    void withoutJCudaTheErrorNamesIt() throws Exception {
        List<String> without = new ArrayList<>();
        List<String> jcuda = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            (new File(entry).getName().startsWith("jcuda") ? jcuda : without).add(entry);
        }
        String text = run(String.join(File.pathSeparator, without), WithoutCuda.class.getName(), "jcuda",
            String.join(File.pathSeparator, jcuda));
        assertTrue(text.contains(
            "buf is a jcuda.driver.CUdeviceptr, but Brigade cannot see JCuda: put jcuda.jar beside brigade.jar or on"
                + " the same class path"),
            text);
    }

    /** As in a fresh installation. */
    @ParameterizedTest
    @CsvSource({"info, 0, CUDA", "verify --space device, 1, brigade", "bench --space device, 1, brigade"})
    void commandsSayThatJCudaIsMissing(String command, int code, String begins) throws Exception {
        List<String> without = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!new File(entry).getName().startsWith("jcuda")) {
                without.add(entry);
            }
        }
        List<String> line =
            new ArrayList<>(List.of(String.join(File.pathSeparator, without), "org.brigade.cli.Brigade"));
        line.addAll(List.of(command.split(" ")));
        String text = run(code, line.toArray(new String[0]));
        assertTrue(
            text.lines()
                .anyMatch(each -> each.startsWith(begins) && each
                    .contains("JCuda is not on the class path; add jcuda and jcuda-natives (org.jcuda, 12.6.0)")),
            text);
        assertFalse(text.contains("Exception"), text);
    }

    private static String run(String... line) throws Exception {
        return run(0, line);
    }

    /** A process on a class path; what it printed. */
    private static String run(int code, String... line) throws Exception {
        Path out = Files.createTempFile("without", ".out");
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-cp"));
        command.addAll(List.of(line));
        Process alone = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
        try {
            assertTrue(alone.waitFor(150, TimeUnit.SECONDS), "it does not end");
            assertEquals(code, alone.exitValue(), Files.readString(out));
            return Files.readString(out);
        } finally {
            alone.destroyForcibly();
            Files.delete(out);
        }
    }
}

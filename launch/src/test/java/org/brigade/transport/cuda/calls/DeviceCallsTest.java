package org.brigade.transport.cuda.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.brigade.launch.HostLauncher;
import org.brigade.nightly.Nightly;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.brigade.transport.ucx.UcxInventory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every call of both dialects takes device memory, with items with gaps and without, on all ranks and on some. */
@Timeout(400)
@Tag("once")
class DeviceCallsTest {
    private static final List<String> WELL = List.of("all is well");

    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    private static DeviceJob job(String... arguments) {
        return new DeviceJob(CallAudit.class, arguments).set("SOFTWARE_CUDA_DEVICES", "2");
    }

    /** Each call with each type, of one length; the next call or type has the next length. */
    private static DeviceJob brief(String family, Path directory) {
        return job(family, directory.toString(), CallAudit.ROTATING);
    }

    @ParameterizedTest
    @CsvSource({"messages, 3", "collectives, 3", "reductions, 2", "neighbours, 3", "groups, 4",
        "files, 2"})
    void everyCallLeavesTheSameBytesAsOnHostMemory(String family, int ranks, @TempDir Path directory) throws Exception {
        assertEquals(WELL, brief(family, directory).run(ranks).lines());
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"messages, 3", "collectives, 3", "reductions, 3", "neighbours, 3", "groups, 4",
        "files, 2"})
    void soDoesEveryLength(String family, int ranks, @TempDir Path directory) throws Exception {
        assertEquals(WELL, job(family, directory.toString()).run(ranks).lines());
    }

    /** Messages straight between devices, through host memory, and with copies that end late. */
    @ParameterizedTest
    @CsvSource("SOFTWARE_CUDA_REFUSE_IPC, 1@1")
    @Nightly({"SOFTWARE_CUDA_DEVICES, 1", "SOFTWARE_CUDA_DELAYS, 3"})
    void whateverTheDriverAllows(String setting, String value, @TempDir Path directory) throws Exception {
        assertEquals(WELL, brief("messages", directory).set(setting, value).run(2).lines());
    }

    /** DeviceNodesTest has messages and collectives between nodes, too. */
    @ParameterizedTest
    @CsvSource("ucx, messages")
    @Nightly({"ucx, collectives", "ucx, reductions", "ucx, neighbours", "ucx, groups", "sisci, messages",
        "sisci, collectives"})
    void betweenNodes(String fabric, String family, @TempDir Path directory) throws Exception {
        String missing = fabric.equals("ucx") ? UcxInventory.missing() : null;
        assumeTrue(missing == null, missing);
        DeviceJob job = brief(family, directory).option("--nodes").option("2").option("--fabric").option(fabric)
            .option("-Dbrigade.sisci.crossover=65536");
        assertEquals(WELL, job.run(family.equals("groups") ? 4 : 3).lines());
    }

    /** An MPI that reads device memory must not read items with gaps. */
    @ParameterizedTest
    @ValueSource(strings = "on")
    @Nightly("off")
    void overTheHostsMpi(String cuda, @TempDir Path directory) throws Exception {
        DeviceJob job = brief("messages", directory).within(HostLauncher.ranks("openmpi", 2).toArray(new String[0]))
            .set("BRIGADE_EMULATED_NODES", "0,1").set("BRIGADE_MPI_CUDA", cuda);
        HostLauncher.ENVIRONMENT.forEach(job::set);
        assertEquals(WELL, job.alone().lines());
    }
}

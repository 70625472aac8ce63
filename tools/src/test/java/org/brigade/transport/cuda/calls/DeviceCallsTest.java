package org.brigade.transport.cuda.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every call of both dialects takes device memory, with items with gaps and without, on all ranks and on some. */
@Timeout(400)
@Tag("slow")
class DeviceCallsTest {
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    @ParameterizedTest
    @CsvSource({"messages, 2", "messages, 3", "collectives, 2", "collectives, 3", "reductions, 3", "neighbours, 3",
        "groups, 3", "groups, 4", "files, 2"})
    void everyCallLeavesTheSameBytesAsOnHostMemory(String family, int ranks, @TempDir Path directory) throws Exception {
        DeviceJob job = new DeviceJob(CallAudit.class, family, directory.toString()).set("SOFTWARE_CUDA_DEVICES", "2");
        assertEquals(List.of("all is well"), job.run(ranks).lines());
    }
}

package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels pack and unpack items with gaps as a copy of each byte would; on the software driver. */
@Timeout(300)
class PackTest {
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "true"})
    void kernelsMoveTheBytesOfItemsWithGaps(String exceptions) throws Exception {
        assertEquals(List.of("all is well"),
            new DeviceJob(PackTrial.class).option("-Djcuda.exceptions=" + exceptions).alone().lines());
    }
}

package org.brigade.transport.cuda.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import org.brigade.transport.cuda.DeviceJob;
import org.brigade.transport.cuda.SoftwareCuda;
import org.brigade.transport.cuda.kernel.KernelImages;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kernels for averages and 8-bit numbers give, on all ranks, what Java computes from the same bits: for 8 bits from all
 * pairs of numbers.
 */
@Timeout(300)
@Tag("slow")
@Tag("once")
class NarrowTypesTest {
    @BeforeAll
    static void build() throws Exception {
        assumeTrue(KernelImages.class.getResource("average.fatbin") != null,
            "the kernels in the jar are older than their sources, as KernelImagesTest says; then such calls are staged");
        SoftwareCuda.folder();
    }

    /**
     * Forced to ring, which rounds partial results: averages and 8-bit numbers go by push-two-phase instead. Small
     * reductions go by resident kernels, which have no averages.
     */
    @Test
    void sumsAreThoseOfFloatsInRankOrder() throws Exception {
        DeviceJob job = new DeviceJob(NarrowTypesTrial.class, "ring").set("SOFTWARE_CUDA_DEVICES", "3")
            .set("BRIGADE_DEVICE_RESIDENT", "on").set("CUDA_MODULE_LOADING", "EAGER")
            .option("-Dbrigade.allreduce.device.algorithm=ring");
        assertEquals(List.of("all is well"), job.run(3).lines());
    }
}

package org.brigade.examples.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import org.brigade.examples.RealRanks;
import org.brigade.transport.cuda.driver.CudaDriver;
import org.junit.jupiter.api.Test;

class NoGpuTest {
    @Test
    void withoutCudaOneRankSaysWhatIsMissing() throws Exception {
        String missing = CudaDriver.missing();
        assumeTrue(missing != null, "there is a GPU here");
        List<String> printed = RealRanks.run(Map.of(), false, 2, Training.class);
        assertEquals(1, printed.stream().filter(("This example needs a GPU, and " + missing + ".")::equals).count(),
            () -> String.join("\n", printed));
    }

    @Test
    void anOptionThatDoesNotExistIsNamedBesideThoseThatDo() throws Exception {
        List<String> printed = RealRanks.run(Map.of(), false, 1, Vgg16Exchange.class, "--shrnk", "5");
        assertTrue(printed.get(0).endsWith("--shrnk is not an option; there are --path, --fusion, --repeat, --shrink"),
            printed.get(0));
    }
}

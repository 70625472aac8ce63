package org.brigade.examples.pytorch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.brigade.examples.RealRanks;
import org.brigade.examples.gpu.SoftwareGpus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The program compares the ranks' weights, and those of a training on whole batches; here is what it cannot see. */
@Tag("once")
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "the pom has PyTorch's library for it only")
class DataParallelTrainingTest {
    private static final int STEPS = 20;

    /** Unpacks PyTorch into target, not into the home of whoever runs the tests. */
    private static List<String> run(int ranks, Map<String, String> environment, Class<?> program) throws Exception {
        Path cache = Path.of("target/javacpp").toAbsolutePath();
        return RealRanks.run(environment, true, Path.of(""), "org.brigade.launch.Launcher",
            List.of("-np", "" + ranks, RealRanks.FEWER_COMPILATIONS, "-Dorg.bytedeco.javacpp.cachedir=" + cache, "-cp",
                ".", program.getName(), "" + STEPS),
            List.of());
    }

    private static void learns(int ranks, List<String> printed) {
        String all = String.join("\n", printed);
        List<Double> losses = printed.stream().filter(line -> line.startsWith("step "))
            .map(line -> Double.parseDouble(line.split(" ")[3])).toList();
        assertEquals(STEPS, losses.size(), all);
        assertTrue(losses.get(STEPS - 1) < 0.8 * losses.get(0), all);
        assertTrue(all.contains("All " + ranks + " ranks have the same weights, which are those of one process. "
            + 2 * STEPS + " of " + 3 * STEPS + " averagings began during backward."), all);
    }

    @Test
    void twoRanksLearnWhatOneProcessLearnsAndAverageDuringBackward() throws Exception {
        learns(2, run(2, Map.of(), DataParallelTraining.class));
    }

    @Test
    void gradientsInDeviceMemoryAreAveragedOnTheDevices() throws Exception {
        SoftwareGpus.build();
        Map<String, String> environment = SoftwareGpus.environment();
        List<String> printed = run(2, environment, SoftwareGpuTraining.class);
        learns(2, printed);
        assertTrue(printed.contains("averaged by packets"), printed::toString);
    }
}

package org.brigade.cli.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.brigade.topology.discovery.Nvml;
import org.brigade.topology.discovery.SoftwareNvml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the software NVML, whose first GPU has processes 1 and 2147483000, and whose second has none. */
class OtherProgramsTest {
    @TempDir
    private static Path folder;

    @Test
    void theProgramsOnAGpuAreNamedByItsNumberInCuda() throws IOException, InterruptedException {
        String first = Files.readString(Path.of("/proc/1/comm")).strip();
        try (Nvml nvml = Nvml.open(SoftwareNvml.make(folder).toString())) {
            assertEquals(
                List.of("GPU 1 is also used by process 1 (" + first + "), 2147483000; times are wrong while another"
                    + " program computes there: end it first"),
                OtherPrograms.lines(nvml, List.of("10000:1b:00.0", "0000:1a:00.0")));
            assertEquals(List.of(), OtherPrograms.lines(nvml, List.of("10000:1b:00.0")), "not a GPU of this program");
        }
    }
}

package org.brigade.launch.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.launch.Launcher;
import org.brigade.process.EndedJob;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** More than 2^31 bytes in one call, among real processes. Skipped where the memory for it is not free. */
@Timeout(660)
@Tag("slow")
@Tag("once") // it copies
class LargeJobsTest {
    private static final String JAVA = System.getProperty("java.home") + "/bin/java";
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final int SECONDS = 600; // it takes twenty; a busy machine is no failure

    @TempDir
    Path directory;

    @Tag("nightly")
    @Test
    void oneDerivedTypeMovesMoreThanTwoGigabytes() throws Exception {
        run("derived", 4);
    }

    /** They take minutes. */
    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"arrays,3", "reductions,5", "blocks,6", "direct,5", "objects,8", "manyObjects,8"})
    void oneCallMovesMoreThanTwoGigabytes(String calls, int gigabytes) throws Exception {
        run(calls, gigabytes);
    }

    /** @param gigabytes of heap that each rank may use */
    private void run(String calls, int gigabytes) throws Exception {
        long free = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getFreeMemorySize() >> 30;
        assumeTrue(free > 2 * gigabytes, free + " GiB are free");
        Path text = directory.resolve("text");
        List<String> command = List.of(JAVA, "-cp", CLASS_PATH, Launcher.class.getName(), "-np", "2", "-cp",
            CLASS_PATH, "-XX:+UseG1GC", "-Xmx" + gigabytes + "g", LargeProgram.class.getName(), calls);
        EndedJob ended = EndedJob.of(new ProcessBuilder(command), text, SECONDS);
        String said = ended.text();
        assertEquals(0, ended.code(), said);
        assertEquals(Set.of("rank 0 passed", "rank 1 passed"),
            new TreeSet<>(said.lines().filter(line -> line.startsWith("rank ")).toList()), said);
    }
}

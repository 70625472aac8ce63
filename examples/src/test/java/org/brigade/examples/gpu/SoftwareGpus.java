package org.brigade.examples.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.brigade.examples.RealRanks;

/**
 * Two GPUs in software, as Brigade's own tests have them: a libcuda.so.1 built from launch/src/test/cuda, which finds
 * the example's kernels compiled as C++.
 */
public final class SoftwareGpus {
    /** That of Brigade's own tests, which have built most of it where they run first. */
    private static final Path FOLDER = root().resolve("launch/target/software-cuda");

    private SoftwareGpus() {
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("transports"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** Builds what is older than its source. Skips the test where there is no g++. */
    public static void build() throws IOException, InterruptedException {
        boolean compiler = false;
        for (String folder : System.getenv("PATH").split(":")) {
            compiler |= Files.isExecutable(Path.of(folder, "g++"));
        }
        assumeTrue(compiler,
            "there is no g++, which the software GPUs are built with; install it (Debian: apt-get install g++)");
        Files.createDirectories(FOLDER);
        Path log = FOLDER.resolve("build.log");
        Process build =
            new ProcessBuilder("bash", root().resolve("launch/src/test/cuda/build").toString(), FOLDER.toString(),
                root().resolve("examples/src/main/cuda/training.cu").toString())
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        assertEquals(true, build.waitFor(10, TimeUnit.MINUTES), "the build of the software GPUs has not ended");
        assertEquals(0, build.exitValue(), () -> "the software GPUs are not built; see " + log);
    }

    /** What lets a process find the GPUs. */
    public static Map<String, String> environment() {
        return Map.of("LD_LIBRARY_PATH", FOLDER.toString());
    }

    /** Runs a program that must succeed. Returns what its ranks printed. */
    static List<String> run(int ranks, Class<?> program, String... arguments) throws IOException, InterruptedException {
        return RealRanks.run(environment(), true, ranks, program, arguments);
    }
}

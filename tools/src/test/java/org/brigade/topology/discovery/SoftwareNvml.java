package org.brigade.topology.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Two GPUs in a library in C with NVML's layouts (src/test/c/nvml.c). */
public final class SoftwareNvml {
    private SoftwareNvml() {
    }

    /** The library's path. Skips the calling test where there is no C compiler to make it. */
    public static Path make(Path folder) throws IOException, InterruptedException {
        Path source = Path.of("src/test/c/nvml.c").toAbsolutePath();
        assertTrue(Files.exists(source), source + " is missing: tests run in their module's folder");
        Path library = folder.resolve("libnvidia-ml.so.1");
        Process compiler;
        try {
            compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                .inheritIO().start();
        } catch (IOException e) {
            assumeTrue(false, "no C compiler is installed, and the software NVML is made with it");
            throw e;
        }
        assertEquals(0, compiler.waitFor(), "cc could not compile " + source);
        return library;
    }
}

package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The software driver of launch/src/test/cuda, built when it is first asked for. It is for processes that tests start:
 * {@link #enter} tells a process to find it in place of NVIDIA's, so that JCuda and all of Brigade's device code run as
 * they are, on a machine without a GPU. driver.h there says what the environment may set: number of GPUs, memory,
 * faults.
 */
public final class SoftwareCuda {
    private static Path folder;

    private SoftwareCuda() {
    }

    /**
     * The folder with libcuda.so.1. Skips the calling test where there is no g++ to make it. The first time takes half
     * a minute, so classes of tests call it in a {@code @BeforeAll}, outside their time limits.
     */
    public static synchronized Path folder() throws IOException, InterruptedException {
        if (folder == null) {
            assumeTrue(installed("g++"), "g++ is not installed, and the software CUDA driver is made with it");
            Path log = Files.createTempFile("software-cuda", ".log");
            try {
                Path launch = launch();
                Path target = launch.resolve("target/software-cuda");
                Process build =
                    new ProcessBuilder("bash", launch.resolve("src/test/cuda/build").toString(), target.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile()).start();
                build.getOutputStream().close();
                if (build.waitFor() != 0) {
                    throw new AssertionError("the software CUDA driver cannot be made:\n" + Files.readString(log));
                }
                Files.createDirectories(target.resolve("tmp"));
                folder = target;
            } finally {
                Files.deleteIfExists(log);
            }
        }
        return folder;
    }

    /** The module, which tests of others use it from. */
    private static Path launch() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("launch/src"))) {
            folder = folder.getParent();
        }
        return folder.resolve("launch");
    }

    /** Where JCuda's native libraries are unpacked, once for all tests: -Djava.io.tmpdir of the processes. */
    public static Path temporary() throws IOException, InterruptedException {
        return folder().resolve("tmp");
    }

    /** Changes the environment of a process, so that it and its children find this driver. */
    public static void enter(Map<String, String> environment) throws IOException, InterruptedException {
        environment.merge("LD_LIBRARY_PATH", folder().toString(), (old, ours) -> ours + File.pathSeparator + old);
    }

    private static boolean installed(String command) {
        for (String place : System.getenv("PATH").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(place, command))) {
                return true;
            }
        }
        return false;
    }
}

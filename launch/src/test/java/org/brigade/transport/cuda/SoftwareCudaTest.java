package org.brigade.transport.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import jcuda.LibUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The software driver behaves as NVIDIA's does, as far as Brigade can tell; through JCuda, in real processes. */
@Timeout(300)
@Tag("once") // C++
@Tag("slow")
class SoftwareCudaTest {
    @TempDir
    private Path directory;

    /** Here, as it may take longer than a test. */
    @BeforeAll
    static void build() throws Exception {
        SoftwareCuda.folder();
    }

    static Stream<String> claims() {
        return Arrays.stream(DriverChecks.class.getMethods())
            .filter(method -> method.getDeclaringClass() == DriverChecks.class && method.getParameterCount() == 0)
            .map(Method::getName).sorted();
    }

    @ParameterizedTest
    @MethodSource("claims")
    void asTheDriver(String claim) throws Exception {
        assertEquals(List.of("true"), new DeviceJob(DriverChecks.class, claim).alone().lines());
    }

    /** Delays change nothing but the time that it takes. */
    @ParameterizedTest
    @ValueSource(strings = {"eventsOrderStreams", "theLegacyStreamWaitsForBlockingStreamsOnly",
        "aGraphDoesWhatWasCapturedAsOftenAsItIsLaunched"})
    void alsoWithDelays(String claim) throws Exception {
        assertEquals(List.of("true"),
            new DeviceJob(DriverChecks.class, claim).set("SOFTWARE_CUDA_DELAYS", "5").alone().lines());
    }

    @ParameterizedTest
    @CsvSource({"memory, SOFTWARE_CUDA_MEMORY, 65536, CUDA_ERROR_OUT_OF_MEMORY",
        "peers, SOFTWARE_CUDA_REFUSE_PEERS, 1, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
        "launch, SOFTWARE_CUDA_FAIL_LAUNCH, 2, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
        "synchronise, SOFTWARE_CUDA_FAULT_LAUNCH, 2, CUDA_ERROR_ILLEGAL_ADDRESS",
        "synchronise, SOFTWARE_CUDA_FAULT_LAUNCH, 2@0, CUDA_SUCCESS", "memory, SOFTWARE_CUDA_MEMORY, '', CUDA_SUCCESS"})
    void faultsHappenWhereTheyAreAskedFor(String where, String setting, String value, String result) throws Exception {
        assertEquals(List.of(result), new DeviceJob(DriverFaults.class, where).set(setting, value).alone().lines());
    }

    @Test
    void processesShareMemoryAndEvents() throws Exception {
        assertEquals(Set.of("rank 0 is through", "rank 1 is through"),
            new TreeSet<>(new DeviceJob(DriverPeers.class).run(2).lines()));
    }

    @Test
    void memoryOfOtherProcessesCanBeRefused() throws Exception {
        assertEquals(Set.of("rank 0 is through", "rank 1 may not: CUDA_ERROR_MAP_FAILED"),
            new TreeSet<>(new DeviceJob(DriverPeers.class).set("SOFTWARE_CUDA_REFUSE_IPC", "1@1").run(2).lines()));
    }

    @Test
    void everyCallThatJCudaBindsIsThere() throws Exception {
        Path library = directory.resolve("jcuda.so");
        try (InputStream in = LibUtils.class.getResourceAsStream("/lib/libJCudaDriver-12.6.0-linux-x86_64.so")) {
            Files.copy(in, library);
        }
        Set<String> needed = symbols(library, "--undefined-only");
        needed.removeAll(symbols(SoftwareCuda.folder().resolve("libcuda.so.1"), "--defined-only"));
        assertEquals(Set.of(), needed);
    }

    /** Names that begin with cu, as nm of the compiler's binutils says. */
    private static Set<String> symbols(Path library, String which) throws Exception {
        Process nm = new ProcessBuilder("nm", "-D", which, library.toString()).redirectErrorStream(true).start();
        Set<String> names = new TreeSet<>();
        new String(nm.getInputStream().readAllBytes()).lines().map(line -> line.substring(line.lastIndexOf(' ') + 1))
            .filter(name -> name.matches("cu[A-Z].*"))
            .forEach(names::add);
        assertEquals(0, nm.waitFor());
        assertEquals(true, names.size() > 300, names.size() + " names in " + library);
        return names;
    }
}

package org.brigade.transport.cuda.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That what the jar carries was made from the kernels beside it. */
@Tag("once") // it compares files
@Tag("slow")
class KernelImagesTest {
    private static final Path SOURCES = Path.of("src/main/cuda");

    @Test
    void theKernelsInTheJarWereCompiledFromTheSourcesInTheTree() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String ending : List.of(".cu", ".cuh")) {
            for (Path source : sources(ending)) {
                digest.update(Files.readAllBytes(source));
            }
        }
        StringBuilder hash = new StringBuilder();
        for (byte b : digest.digest()) {
            hash.append(String.format("%02x", b));
        }
        assertEquals(hash.toString(), KernelImages.ofThisJar().sources,
            "sources in " + SOURCES + " have changed: run bin/kernels (it needs nvcc) and commit what it makes");
    }

    @Test
    void everyModuleIsThereAsMachineCodeAndAsPtxWithTheSameKernels() throws Exception {
        Pattern entry = Pattern.compile("\\.entry (\\w+)");
        for (Path source : sources(".cu")) {
            String module = source.getFileName().toString().replace(".cu", "");
            assertTrue(KernelImages.machineCode(module).length > 1000, module);
            byte[] ptx = KernelImages.portable(module);
            assertEquals(0, ptx[ptx.length - 1], module + " must end with a 0");
            String text = new String(ptx, StandardCharsets.US_ASCII);
            assertTrue(text.contains(".version 7.0"), module + " must be PTX that old drivers take");
            Matcher found = entry.matcher(text);
            assertTrue(found.find() && found.group(1).startsWith("brigade_"), module + " has no kernels");
        }
    }

    private static List<Path> sources(String ending) throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(ending))
                .sorted(Comparator.comparing(file -> file.getFileName().toString())).toList();
        }
    }
}

package org.brigade.examples.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class TrainingKernelsTest {
    @Test
    void theCompiledKernelsAreThoseOfTheSource() throws Exception {
        byte[] source = Files.readAllBytes(Path.of("src/main/cuda/training.cu"));
        String now = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(source));
        try (InputStream in = TrainingKernels.class.getResourceAsStream("training.sha256")) {
            assertEquals(new String(in.readAllBytes(), StandardCharsets.US_ASCII).trim(), now,
                "training.cu has changed since training.fatbin was made; run examples/kernels.sh");
        }
    }
}

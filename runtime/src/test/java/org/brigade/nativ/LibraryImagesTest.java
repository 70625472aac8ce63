package org.brigade.nativ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That the libraries in the jar were made from the sources beside them, and need no other library. */
@Tag("once") // it compares files
class LibraryImagesTest {
    private static final Path SOURCES = Path.of("src/main/native");
    private static final Path SCRIPT = Path.of("../bin/natives");

    @Test
    void theLibrariesInTheJarWereCompiledFromTheSourcesInTheTree() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (String ending : List.of(".c", ".h")) {
            for (Path source : sources(ending)) {
                digest.update(Files.readAllBytes(source));
            }
        }
        digest.update(Files.readAllBytes(SCRIPT));
        assertEquals(HexFormat.of().formatHex(digest.digest()),
            new String(image("natives.sha256"), StandardCharsets.US_ASCII).trim(),
            SOURCES + " or " + SCRIPT
                + " has changed: run bin/natives (it needs two compilers) and commit what it makes");
    }

    @Test
    void thereIsALibraryForEachProcessor() throws Exception {
        // ELF's machine numbers.
        assertEquals(62, machine("Linux-x86_64"));
        assertEquals(183, machine("Linux-aarch64"));
    }

    @Test
    void theClassKnowsTheirDigests() throws Exception {
        assertEquals(digest("Linux-x86_64"), BrigadeLibrary.X86_64, "run bin/natives");
        assertEquals(digest("Linux-aarch64"), BrigadeLibrary.AARCH64, "run bin/natives");
        byte[] intel = BrigadeLibrary.image("Linux-x86_64");
        byte[] arm = BrigadeLibrary.image("Linux-aarch64");
        assertEquals(List.of(intel.length, arm.length),
            List.of(BrigadeLibrary.X86_64_BYTES, BrigadeLibrary.AARCH64_BYTES), "run bin/natives");
        assertEquals(List.of(crc(intel), crc(arm)), List.of(BrigadeLibrary.X86_64_CRC, BrigadeLibrary.AARCH64_CRC),
            "run bin/natives");
    }

    private static long crc(byte[] image) {
        CRC32 crc = new CRC32();
        crc.update(image);
        return crc.getValue();
    }

    private static String digest(String machine) throws Exception {
        byte[] whole = MessageDigest.getInstance("SHA-256").digest(BrigadeLibrary.image(machine));
        return HexFormat.of().formatHex(whole, 0, 8);
    }

    /** A test machine is one of the two. */
    @Test
    void theLibraryIsLoadedHere() {
        assertTrue(BrigadeLibrary.LOADED, BrigadeLibrary.STATE);
    }

    private static int machine(String folder) throws IOException {
        byte[] image = image(folder + "/libbrigade.so");
        assertEquals("\177ELF", new String(image, 0, 4, StandardCharsets.ISO_8859_1));
        return image[18] & 0xff;
    }

    private static byte[] image(String name) throws IOException {
        try (InputStream in = BrigadeLibrary.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    private static List<Path> sources(String ending) throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(ending))
                .sorted(Comparator.comparing(file -> file.getFileName().toString())).toList();
        }
    }
}

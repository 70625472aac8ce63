package org.brigade.transport.sisci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.brigade.transport.sisci.adapter.SoftwareSisci;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoftwareSisciTest {
    @Test
    void theListOfSourcesIsTheFolder() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/sisci"))) {
            assertEquals(
                files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new)),
                new TreeSet<>(Set.of(SoftwareSisci.SOURCES)));
        }
    }

    @Test
    void theLibraryIsBuiltOnceAndNothingElseIsLeft(@TempDir Path folder) throws IOException {
        Path cache = folder.resolve("a").resolve("b");
        Path library = SoftwareSisci.library(cache);
        Object first = Files.readAttributes(library, java.nio.file.attribute.BasicFileAttributes.class).fileKey();
        assertEquals(library, SoftwareSisci.library(cache));
        assertEquals(first, Files.readAttributes(library, java.nio.file.attribute.BasicFileAttributes.class).fileKey());
        try (Stream<Path> files = Files.list(cache)) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsNamedWithTheCure(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        IOException e = assertThrows(IOException.class, () -> SoftwareSisci.library(file.resolve("cache")));
        assertTrue(e.getMessage().contains(file.toString()) && e.getMessage().contains("set brigade.sisci.cache"),
            e.getMessage());
    }
}

package org.brigade.process;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharedFilesTest {
    private final SharedFiles before = new SharedFiles();
    private final Path file = Path.of("/dev/shm",
        "brigade-test-" + ProcessHandle.current().pid() + "-" + System.nanoTime());

    @BeforeEach
    void make() throws IOException {
        Files.createFile(file);
    }

    @AfterEach
    void remove() throws IOException {
        Files.delete(file);
    }

    @Test
    void aFileThatAProcessHasOpenIsNotLeft() throws Exception {
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ)) {
            assertTrue(open.isOpen());
            before.assertNothingLeft(2);
        }
    }

    @Test
    void aFileThatNobodyUsesIsLeft() {
        AssertionError left = assertThrows(AssertionError.class, () -> before.assertNothingLeft(2));
        assertTrue(left.getMessage().contains(file.getFileName().toString()), left.getMessage());
    }
}

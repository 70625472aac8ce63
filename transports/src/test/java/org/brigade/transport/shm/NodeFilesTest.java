package org.brigade.transport.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.brigade.transport.NodeMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFilesTest {
    private static final int LARGE = 3 << 20;

    @Test
    void mapsOfOneFileAreTheSameMemoryUntilItIsGivenBack() throws IOException {
        NodeMemory memory = NodeFiles.OF_THIS_NODE;
        String name = memory.make();
        Path file = Path.of(memory.place(), name);
        try {
            assertTrue(name.length() <= NodeMemory.NAME_LENGTH, name);
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            ByteBuffer one = memory.map(name, 4096, LARGE, true);
            ByteBuffer other = memory.map(name, 4096, LARGE, false);
            memory.removeName(name);
            assertFalse(Files.exists(file));
            one.putLong(LARGE - 8, 42);
            assertEquals(42, other.getLong(LARGE - 8));
            memory.release(one);
            assertEquals(0, other.getLong(LARGE - 8), "the mapping stays, without its pages");
            assertEquals(0, memory.map(name, 0, 0, true).capacity(), "nothing needs no file");
        } finally {
            memory.removeName(name);
        }
    }

    @Test
    void aFileThatIsNotThereIsAnError(@TempDir Path directory) {
        NodeMemory memory = new NodeFiles(directory);
        assertThrows(IOException.class, () -> memory.map("nothing", 0, 8, true));
        assertThrows(IOException.class, () -> new NodeFiles(directory.resolve("nowhere")).make());
    }
}

package org.brigade.bootstrap.ports;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.brigade.process.Strangers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another user takes the folder's name at the worst moment. */
class OpenFolderTest {
    @TempDir
    Path directory;
    private Path folder;

    @BeforeEach
    void make() throws IOException {
        folder = directory.resolve("ports");
        makeFolder();
        Files.write(folder.resolve("letter"), new byte[] {1, 2, 3});
    }

    private void makeFolder() throws IOException {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(
            "rwx------")));
    }

    @Test
    void whatIsReadAndWrittenIsInTheFolderThatWasChecked() throws IOException {
        try (OpenFolder open = OpenFolder.at(folder)) {
            Files.move(folder, directory.resolve("before"));
            makeFolder();
            Files.write(folder.resolve("letter"), new byte[] {9});
            assertArrayEquals(new byte[] {1, 2, 3}, open.read("letter"));
            open.write("part", new byte[] {4});
            open.move("part", "letter");
            assertArrayEquals(new byte[] {4}, Files.readAllBytes(directory.resolve("before/letter")));
            assertArrayEquals(new byte[] {9}, Files.readAllBytes(folder.resolve("letter")));
            open.delete("letter");
            assertFalse(Files.exists(directory.resolve("before/letter")));
            assertTrue(Files.exists(folder.resolve("letter")));
        }
    }

    @Test
    void linksAndFilesThatAreThereAreNotWrittenThrough() throws IOException {
        Path other = Files.write(directory.resolve("other"), new byte[] {7});
        Files.createSymbolicLink(folder.resolve("link"), other);
        try (OpenFolder open = OpenFolder.at(folder)) {
            assertThrows(IOException.class, () -> open.read("link"));
            assertThrows(FileAlreadyExistsException.class, () -> open.write("link", new byte[] {1}));
            open.write("part", new byte[] {4});
            open.move("part", "link");
            assertArrayEquals(new byte[] {4}, open.read("link"));
        }
        assertArrayEquals(new byte[] {7}, Files.readAllBytes(other));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("link"))));
    }

    @Test
    void aFolderThatOthersMayWriteToIsRefused() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        String said = assertThrows(IOException.class, () -> OpenFolder.at(folder)).getMessage();
        assertTrue(said.endsWith("with permissions rwxrwxrwx"), said);
    }

    @Test
    void aFolderOfAnotherUserIsRefusedThoughNobodyElseMayWriteToIt() throws Exception {
        Strangers.give(folder);
        String said = assertThrows(IOException.class, () -> OpenFolder.at(folder)).getMessage();
        assertTrue(said.contains("is a folder of user"), said);
    }
}

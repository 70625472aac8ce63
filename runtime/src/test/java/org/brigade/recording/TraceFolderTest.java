package org.brigade.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFolderTest {
    @TempDir
    private Path directory;

    @Test
    void aNewFolderIsPrivateAndOneThatOthersCanWriteToIsRefused() throws IOException {
        Path folder = TraceFolder.at(directory.resolve("one").resolve("two"));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        String said = assertThrows(IOException.class, () -> TraceFolder.at(folder)).getMessage();
        assertTrue(said.contains("can be written to by others"), said);
        Path link = Files.createSymbolicLink(directory.resolve("link"), folder);
        assertThrows(IOException.class, () -> TraceFolder.at(link));
    }

    @Test
    void aFolderOfAnotherUserIsRefused() throws IOException {
        Path folder = TraceFolder.at(directory.resolve("theirs"));
        if ((int) Files.getAttribute(folder, "unix:uid") == 0) { // only root can make one
            Files.setAttribute(folder, "unix:uid", 65534);
            String said = assertThrows(IOException.class, () -> TraceFolder.at(folder)).getMessage();
            assertTrue(said.contains("belongs to user 65534"), said);
        }
    }

    @Test
    void aFileReplacesALinkAndLeavesWhatItPointsTo() throws IOException {
        Path precious = Files.writeString(directory.resolve("precious"), "content");
        Path folder = TraceFolder.at(directory.resolve("trace"));
        Path link = Files.createSymbolicLink(folder.resolve("trace.txt"), precious);
        TraceFolder.put(folder, "trace.txt", file -> Files.writeString(file, "report"));
        assertEquals("content", Files.readString(precious));
        assertEquals("report", Files.readString(link));
        assertFalse(Files.isSymbolicLink(link));
        assertThrows(IOException.class, () -> TraceFolder.put(folder, "bad", file -> {
            throw new IOException("no space");
        }));
        try (var files = Files.list(folder)) {
            assertEquals(1, files.count());
        }
    }
}

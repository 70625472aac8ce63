package org.brigade.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A place in /proc of a process that has ended may have become anything. */
@Timeout(60)
class OfferedFileTest {
    @TempDir
    Path directory;

    private Path file(String permissions) throws IOException {
        return Files.createFile(directory.resolve("file"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
    }

    private static String refused(Path place) {
        return assertThrows(IOException.class, () -> OfferedFile.open(place).close()).getMessage();
    }

    @Test
    void aFileOfThisUsersAloneIsOpened() throws IOException {
        try (FileChannel channel = OfferedFile.open(file("rw-------"))) {
            assertEquals(0, channel.size());
        }
    }

    @Test
    void aFileOfAnotherUserIsRefused() throws Exception {
        Path file = file("rw-------");
        Strangers.give(file);
        assertTrue(refused(file).endsWith(", not to this one"), refused(file));
    }

    @Test
    void aFileThatOthersMayOpenIsRefused() throws IOException {
        assertTrue(refused(file("rw-r--r--")).endsWith("is no regular file of mode 0600"));
    }

    @Test
    void aPipeIsRefusedAndKeepsNobodyWaiting() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", "-m", "600", pipe.toString()).start().waitFor());
        assertTrue(refused(pipe).endsWith("is no regular file of mode 0600"), refused(pipe));
    }
}

package org.brigade.nativ;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserFoldersTest {
    @TempDir
    Path directory;

    @Test
    void theHomeIsWhatTheEnvironmentSaysAndThenWhatTheSystemSays() {
        assertEquals(Path.of("/home/me"), UserFolders.home("/home/me", "/root"));
        assertEquals(Path.of("/root"), UserFolders.home(null, "/root"));
        assertEquals(Path.of("/root"), UserFolders.home("", "/root"));
        assertEquals(Path.of("/root"), UserFolders.home("me", "/root"));
        assertNull(UserFolders.home(null, "?"));
        assertNull(UserFolders.home("\0", "/a\0b"));
    }

    @Test
    void aFolderThatTheEnvironmentNamesGoesBeforeTheHome() {
        assertEquals(Path.of("/etc/xdg/brigade"), UserFolders.within("/etc/xdg", directory, ".config"));
        assertEquals(directory.resolve(".config/brigade"), UserFolders.within("relative", directory, ".config"));
        assertEquals(directory.resolve(".config/brigade"), UserFolders.within(null, directory, ".config"));
        assertNull(UserFolders.within("", directory.resolve("none"), ".config"));
        assertNull(UserFolders.within("", null, ".config"));
    }

    @Test
    void aFolderIsMadeOrTheReasonGiven() throws Exception {
        Path folder = directory.resolve("a/b");
        assertNull(UserFolders.complaint(folder, true));
        assertEquals(PosixFilePermissions.fromString("rwx------"), Files.getPosixFilePermissions(folder));
        assertNull(UserFolders.complaint(directory.resolve("c/d"), false));
        Path file = Files.createFile(directory.resolve("file"));
        assertEquals(file + " cannot be written: " + file + " is no folder", UserFolders.complaint(file, true));
        String within = UserFolders.complaint(file.resolve("b"), false);
        assertTrue(within.startsWith(file + "/b cannot be written: "), within);
    }
}

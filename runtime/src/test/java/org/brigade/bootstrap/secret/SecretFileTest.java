package org.brigade.bootstrap.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
    @Test
    void aSecretThatAnotherUserKnowsIsRefused(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "0123456789abcdef\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        refused("chmod 600", file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertEquals(16, SecretFile.read(file).length);
        if ((int) Files.getAttribute(file, "unix:uid") == 0) { // only root can make one of another user
            Files.setAttribute(file, "unix:uid", 65534);
            refused("belongs to user 65534", file);
        }
        refused("does not exist", directory);
    }

    private static void refused(String why, Path file) {
        String said = assertThrows(IOException.class, () -> SecretFile.read(file)).getMessage();
        assertTrue(said.contains(why), said);
    }
}

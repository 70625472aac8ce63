package org.brigade.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildTest {
    @TempDir
    Path directory;

    private File jar(String name, String comment, String... contents) throws IOException {
        Path file = directory.resolve(name);
        try (OutputStream out = Files.newOutputStream(file); ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setComment(comment);
            for (int i = 0; i < contents.length; i++) {
                ZipEntry entry = new ZipEntry("entry" + i);
                entry.setTime(1_000_000_000_000L);
                zip.putNextEntry(entry);
                zip.write(contents[i].getBytes());
                zip.closeEntry();
            }
        }
        return file.toFile();
    }

    @Test
    void copiesOfAJarAreOneBuildAndAnyOtherContentIsAnother() throws IOException {
        long build = Build.ofJar(jar("a.jar", "", "one", "two"));
        assertEquals(build, Build.ofJar(jar("b.jar", "", "one", "two")));
        assertEquals(build, Build.ofJar(jar("c.jar", "PK", "one", "two")), "a comment is no content");
        assertNotEquals(build, Build.ofJar(jar("d.jar", "", "one", "twe")));
        assertNotEquals(build, Build.ofJar(jar("e.jar", "", "one", "two", "")));
    }

    @Test
    void whatIsNoJarIsAnError() throws IOException {
        Path file = Files.writeString(directory.resolve("text"), "PK");
        assertThrows(IOException.class, () -> Build.ofJar(file.toFile()));
    }
}

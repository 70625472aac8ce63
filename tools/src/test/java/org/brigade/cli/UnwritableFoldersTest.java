package org.brigade.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that measure for minutes look first whether what they find can be kept. */
@Timeout(120)
@Tag("once")
class UnwritableFoldersTest {
    @TempDir
    Path folder;

    /** A user namespace's root, for one, whose home the system takes for that of the machine's. */
    @Test
    void aFolderThatCannotBeWrittenIsSaidBeforeAnythingIsMeasured() throws Exception {
        Path file = Files.createFile(folder.toRealPath().resolve("file"));
        Ended named = Ended.brigade("profile", "--space", "host", "--cpus", "0,1", "--out", file + "/profile.xml");
        assertEquals(1, named.code(), named.err());
        assertTrue(named.err().startsWith("brigade profile: " + file + " cannot be written: ")
            && named.err().endsWith("; name another file with --out\n"), named.err());
        assertEquals(
            "brigade profile: " + file + "/.brigade cannot be written: Not a directory; name a file with --out,"
                + " or set HOME to a folder of yours\n",
            atHome(file, "profile", "--space", "host", "--cpus", "0,1"));
        assertEquals("brigade tune: this user has no home folder for tables; set HOME or XDG_CONFIG_HOME to a folder of"
            + " yours\n", atHome(file, "tune", "--space", "host"));
    }

    /** What a command says that fails for a user with such a HOME. */
    private static String atHome(Path home, String... command) throws Exception {
        List<String> line = new ArrayList<>(TestJava.command(Brigade.class.getName()));
        line.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("HOME", home.toString());
        builder.environment().remove("XDG_CONFIG_HOME");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(1, process.waitFor(), said);
        return said;
    }
}

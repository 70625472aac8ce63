package org.brigade.launch.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** bin/mpijavac of an installed Brigade, whose jar is a folder of one class here. */
@Tag("once")
@Timeout(300)
class MpijavacTest {
    private static final Path SCRIPTS = Path.of("../bin").toAbsolutePath().normalize();

    @TempDir
    Path home;

    @BeforeEach
    void install() throws IOException {
        assumeTrue(Files.exists(SCRIPTS), "no bin/ beside this module");
        Files.createDirectory(home.resolve("bin"));
        for (String each : List.of("mpijavac", "common.sh")) {
            Files.copy(SCRIPTS.resolve(each), home.resolve("bin/" + each));
        }
        Files.createDirectories(home.resolve("lib/brigade.jar"));
        Files.writeString(home.resolve("Program.java"), "class Program { Library library; }");
        Files.createDirectory(home.resolve("library"));
        Files.writeString(home.resolve("library/Library.java"), "class Library {}");
    }

    private String run(int code, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", home.resolve("bin/mpijavac").toString()));
        command.addAll(List.of(arguments));
        Process compiler = new ProcessBuilder(command).redirectErrorStream(true).directory(home.toFile()).start();
        String out = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(code, compiler.waitFor(), out);
        return out;
    }

    @Test
    void brigadeIsOnTheClassPathBeforeTheProgramsOwn() throws Exception {
        assertTrue(run(0, "--showme", "-cp", "library", "-d", "out put", "Program.java").endsWith("/javac -cp "
            + home.toRealPath().resolve("lib/brigade.jar") + ":library -d out\\ put Program.java \n"));
    }

    @Test
    void aProgramIsCompiledAsJavacWould() throws Exception {
        run(1, "-cp", ".", "-d", "classes", "Program.java");
        run(0, "-cp", "library", "library/Library.java");
        run(0, "-cp", "library", "-d", "classes", "Program.java");
        assertTrue(Files.exists(home.resolve("classes/Program.class")));
    }
}

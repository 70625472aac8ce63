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

/** The command mpjava, beside java itself. */
@Tag("once")
@Timeout(300)
class MpjavaTest {
    private static final Path SCRIPTS = Path.of("../bin").toAbsolutePath().normalize();

    @TempDir
    Path home;

    /** Prints a property and each of its arguments between bars. */
    public static final class Printer {
        private Printer() {
        }

        public static void main(String[] arguments) {
            System.out.println(System.getProperty("k"));
            for (String each : arguments) {
                System.out.println("|" + each + "|");
            }
        }
    }

    @BeforeEach
    void install() throws IOException {
        assumeTrue(Files.exists(SCRIPTS), "no bin/ beside this module");
        Files.createDirectory(home.resolve("bin"));
        for (String each : List.of("mpjava", "common.sh")) {
            Files.copy(SCRIPTS.resolve(each), home.resolve("bin/" + each));
        }
        Files.createDirectories(home.resolve("lib/brigade.jar"));
    }

    private String run(int code, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).directory(home.toFile());
        builder.environment().put("_JAVA_OPTIONS", "-Xshare:auto"); // no class archive is made
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(code, process.waitFor(), out);
        return out;
    }

    private String mpjava(int code, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", home.resolve("bin/mpjava").toString()));
        command.addAll(List.of(arguments));
        return run(code, command.toArray(String[]::new));
    }

    @Test
    void aFileOfArgumentsIsReadAsJavaReadsIt() throws Exception {
        Files.writeString(home.resolve("args"), String.join("\n", "-cp \"" + System.getProperty("java.class.path")
            + "\" # the program's", "-Dk='a b'", Printer.class.getName() + " a b\tc", "",
            "\"a b\" 'c d' e\"f g\"h", "\"a\\\"b\" 'c\\\\d' x\\y", "\"joined \\", "   line\" x", "'q\\n' \"t\\tab\"",
            "@other '@quoted' @@twice -cp \"\" end"));
        assertEquals(run(0, System.getProperty("java.home") + "/bin/java", "@args", "@two"),
            mpjava(0, "@args", "@two"));
    }

    @Test
    void aFileThatCannotBeReadIsNamed() throws Exception {
        String missing = mpjava(2, "@nothing", "App");
        assertTrue(missing.contains("@nothing: the file of arguments cannot be read"), missing);
        Files.writeString(home.resolve("args"), "-Dk=1 \"one\ntwo\"");
        String open = mpjava(2, "@args");
        assertTrue(open.contains("the quote before one is not closed"), open);
    }
}

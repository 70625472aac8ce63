package org.brigade.launch.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.brigade.launch.options.ArgumentFile;
import org.brigade.launch.options.LaunchException;
import org.brigade.launch.options.LaunchOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of arguments, beside java itself. */
@Timeout(300)
class ArgumentFileTest {
    @TempDir
    Path folder;

    private Path file(String text) throws Exception {
        return Files.writeString(folder.resolve("args"), text);
    }

    /** A class that prints its arguments, started by java with the file. */
    private List<String> java(Path file) throws Exception {
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
            System.getProperty("java.class.path"), "@" + file).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return List.of(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n"));
    }

    /** Prints each of its arguments between bars. */
    public static final class Printer {
        private Printer() {
        }

        public static void main(String[] arguments) {
            for (String each : arguments) {
                System.out.println("|" + each + "|");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b\tc\n\nd", "\"a b\" 'c d' e\"f g\"h", "\"a\\\"b\" 'c\\\\d'", "a # comment\n# more\nb",
        "\"joined \\\n   line\" x", "'q\\n' \"t\\tab\"", "@other '@quoted' -cp", "\"\" end"})
    void wordsAreThoseThatJavaReads(String text) throws Exception {
        Path file = file(Printer.class.getName() + " " + text);
        List<String> words = ArgumentFile.words("@" + file);
        assertEquals(java(file), words.subList(1, words.size()).stream().flatMap(each -> ("|" + each + "|").lines())
            .toList());
    }

    @Test
    void aFileMayHoldMpjrunsOptionsJavasAndTheProgram() throws Exception {
        Path file = file("-np 3 # ranks\n-cp \"my classes\" -Xmx1g App one");
        LaunchOptions options = LaunchOptions.parse(new String[] {"--tag", "@" + file, "@two"});
        assertEquals("3 my classes [-Xmx1g] [App, one, @two]", options.ranks() + " " + options.classPath() + " "
            + options.javaOptions() + " " + options.program());
        assertTrue(options.output().tagged());
    }

    @Test
    void afterTheProgramAWordWithThatSignIsItsOwn() {
        assertEquals(List.of("App", "@args", "@@x"),
            LaunchOptions.parse(new String[] {"App", "@args", "@@x"}).program());
        assertEquals(List.of("@"),
            LaunchOptions.parse(new String[] {"-np", "1", "App", "@"}).program().subList(1, 2));
    }

    @Test
    void aQuoteThatIsNotClosedIsNamed() throws Exception {
        Path file = file("App \"one\ntwo");
        String message =
            assertThrows(LaunchException.class, () -> ArgumentFile.words("@" + file)).getMessage();
        assertTrue(message.contains("the quote before one is not closed"), message);
    }
}

package org.brigade.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.brigade.cli.Brigade;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lessons of examples/course: what is typed there prints what stands there, on four ranks. */
@Timeout(300)
@Tag("slow")
@Tag("once")
class CourseTest {
    private static final Path COURSE = Path.of("../examples/course");
    private static final String SHOWN = "    ";
    private static final String TYPED = SHOWN + "brigade> ";
    private static final String CONTINUED = SHOWN + "    ...> ";

    @TempDir
    Path folder;

    static List<Path> lessons() throws IOException {
        try (Stream<Path> pages = Files.list(COURSE)) {
            return pages.filter(page -> page.getFileName().toString().matches("\\d-.*\\.md")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("lessons")
    void aLessonPrintsWhatItShows(Path lesson) throws Exception {
        List<String> typed = new ArrayList<>();
        List<String> shown = new ArrayList<>();
        for (String line : Files.readAllLines(lesson)) {
            if (line.startsWith(TYPED) || line.startsWith(CONTINUED)) {
                typed.add(line.substring(TYPED.length()));
            } else if (line.startsWith(SHOWN)) {
                shown.add(line.substring(SHOWN.length()));
            }
        }
        assertTrue(typed.size() >= 3 && shown.size() >= 3, "a lesson without lines");
        Path in = Files.write(folder.resolve("in"), typed);
        Process shell = new ProcessBuilder(TestJava.launching(Brigade.class.getName(), "shell", "-np", "4"))
            .redirectInput(in.toFile()).redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile()).start();
        assertTrue(shell.waitFor(200, TimeUnit.SECONDS), "the session does not end");
        assertEquals("", Files.readString(folder.resolve("err")));
        assertEquals(0, shell.exitValue());
        assertEquals(alike(shown), alike(Files.readAllLines(folder.resolve("out"))));
    }

    /** Lines without what differs from run to run; sorted, as ranks that wait together end in any order. */
    private static String alike(List<String> lines) {
        return String.join("\n", lines.stream()
            .map(line -> line.replaceAll("pid \\d+", "pid N").replaceAll("for \\d+ s in", "for N s in")).sorted()
            .toList());
    }
}

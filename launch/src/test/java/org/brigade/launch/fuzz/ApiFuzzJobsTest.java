package org.brigade.launch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@link ApiFuzzProgram} among processes. {@code -Dfuzz.calls=100000 -Dfuzz.seed=7} makes it longer, with other calls.
 */
@Timeout(1200)
@Tag("slow")
@Tag("once")
class ApiFuzzJobsTest {
    @TempDir
    Path directory;

    private void fuzz(String option) throws Exception {
        Path text = directory.resolve("text");
        Process job =
            new ProcessBuilder(TestJava.mpjrun("-np", "2", option, ApiFuzzProgram.class.getName(),
                System.getProperty("fuzz.seed", "15"), System.getProperty("fuzz.calls", "1500")))
                .directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(text.toFile()).start();
        job.getOutputStream().close();
        if (!job.waitFor(1000, TimeUnit.SECONDS)) {
            job.descendants().forEach(ProcessHandle::destroyForcibly);
            job.destroyForcibly();
        }
        assertEquals(0, job.waitFor(), Files.readString(text));
        assertTrue(Files.readString(text).contains(" 0 wrong"), Files.readString(text));
    }

    @Test
    void noCallOfTheApiThrowsAnInternalExceptionOrWritesWhereItMustNot() throws Exception {
        fuzz("-Dbrigade.check=false");
    }

    @Test
    void whereCallsAreComparedOneRanksWrongArgumentsAreAnErrorOnAll() throws Exception {
        fuzz("-Dbrigade.check=true");
    }
}

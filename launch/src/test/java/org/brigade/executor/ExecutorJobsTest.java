package org.brigade.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.brigade.process.EndedJob;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The executor in jobs of processes. */
@Timeout(300)
@Tag("once")
class ExecutorJobsTest {
    private static final int SECONDS = 150;

    @TempDir
    Path directory;

    private EndedJob run(String... arguments) throws Exception {
        String[] line = {"-np", "4", ExecutorProgram.class.getName()};
        String[] whole = java.util.Arrays.copyOf(line, line.length + arguments.length);
        System.arraycopy(arguments, 0, whole, line.length, arguments.length);
        return EndedJob.of(new ProcessBuilder(TestJava.mpjrun(whole)), directory.resolve("text"), SECONDS);
    }

    private static long finalized(EndedJob job) {
        return job.text().lines().filter("a rank has finalized"::equals).count();
    }

    @Test
    void processesShareAMap() throws Exception {
        EndedJob job = run();
        assertTrue(job.text().contains("all squares, 3 workers left"), job.text());
        assertEquals(4, finalized(job), job.text());
        assertEquals(0, job.code(), job.text());
    }

    @Test
    void theOthersDoTheTasksOfAKilledProcess() throws Exception {
        EndedJob job = run("2");
        assertTrue(job.text().contains("all squares, 2 workers left"), job.text());
        assertEquals(3, finalized(job), job.text());
        assertEquals(128 + 9, job.code(), job.text());
    }
}

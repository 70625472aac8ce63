package org.brigade.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.process.EndedJob;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that die in jobs whose ranks want errors returned: the others hear of it in whatever call they are, and go on.
 */
@Timeout(300)
@Tag("once") // FaultsTest tries deaths on the other JDK
@Tag("slow")
class SurvivorsTest {
    private static final int SECONDS = 150; // it takes one; a busy machine is no failure

    @TempDir
    Path directory;

    private EndedJob run(String deed, String where) throws Exception {
        Path text = directory.resolve("text");
        return EndedJob.of(
            new ProcessBuilder(TestJava.mpjrun("-np", "3", SurvivingProgram.class.getName(), deed, where)), text,
            SECONDS);
    }

    private static void assertSurvived(EndedJob job) {
        Set<String> said = new TreeSet<>(job.text().lines().filter(line -> line.startsWith("rank ")).toList());
        assertEquals(Set.of("rank 0 heard of it", "rank 2 heard of it", "rank 0 finalized", "rank 2 finalized"), said,
            job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"recv", "any", "probe", "ssend", "send", "waitany", "barrier", "bcast", "allreduce", "long",
        "iallreduce", "start", "start and waitany", "split", "partitions", "ready partition"})
    void survivorsOfAKilledRankHearOfItAndGoOn(String where) throws Exception {
        EndedJob job = run("kill", where);
        assertSurvived(job);
        assertEquals(128 + 9, job.code(), job.text());
        // If the launcher gets to look only after the others have ended, too, it does not say that they go on.
        assertTrue(job.text().contains("mpjrun: rank 1 of 3 was killed by signal 9 (SIGKILL)"), job.text());
        assertFalse(job.text().contains("ending the job"), job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"small collectives", "long collectives", "messages"})
    void survivorsOfARankThatIsKilledInTheMiddleHearOfItAndGoOn(String where) throws Exception {
        EndedJob job = run("later", where);
        assertSurvived(job);
        assertEquals(128 + 9, job.code(), job.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"recv", "allreduce"})
    void survivorsOfARankThatLeftHearOfItAndGoOn(String where) throws Exception {
        EndedJob job = run("leave", where);
        assertSurvived(job);
        assertEquals(0, job.code(), job.text());
    }

    @ParameterizedTest
    @CsvSource({"abort,barrier", "throw,barrier", "abort,computing", "throw,computing"})
    void abortAndUncaughtExceptionsEndTheJobAllTheSame(String deed, String where) throws Exception {
        EndedJob job = run(deed, where);
        assertFalse(job.text().contains("finalized"), job.text());
        assertNotEquals(0, job.code(), job.text());
    }
}

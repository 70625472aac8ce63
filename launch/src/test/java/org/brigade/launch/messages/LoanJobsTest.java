package org.brigade.launch.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.brigade.process.EndedJob;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Long messages among real processes, lent or not. */
@Timeout(300)
@Tag("slow")
class LoanJobsTest {
    private static final int SECONDS = 200; // it takes five; a busy machine is no failure

    @TempDir
    Path directory;
    private String said;

    private int run(int ranks, String loans, String compiled, String... arguments) throws Exception {
        Path text = directory.resolve("text");
        List<String> command = TestJava.mpjrun("-np", "" + ranks, "-Dbrigade.shm.loans=" + loans,
            "-Dbrigade.native=" + compiled, LoanProgram.class.getName());
        command.addAll(List.of(arguments));
        EndedJob ended = EndedJob.of(new ProcessBuilder(command), text, SECONDS);
        said = ended.text();
        return ended.code();
    }

    @ParameterizedTest
    @CsvSource({"2, always, on", "3, always, off", "3, measured, on", "2, never, off"})
    void everyValueArrives(int ranks, String loans, String compiled) throws Exception {
        assertEquals(0, run(ranks, loans, compiled, "" + ranks), said);
        assertEquals(ranks, said.lines().filter(line -> line.endsWith(" passed")).count(), said);
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 12, 13})
    void aRankThatDiesInTheMiddleOfLongMessagesEndsTheJob(int seed) throws Exception {
        assertNotEquals(0, run(3, "always", "on", "" + seed, "die"), said);
        assertTrue(said.contains("rank 1"), said);
    }
}

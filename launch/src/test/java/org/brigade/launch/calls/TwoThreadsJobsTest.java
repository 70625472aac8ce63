package org.brigade.launch.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.process.EndedJob;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two threads of each rank in different communicators, on one node and on two: no hang, and no call gets another's
 * data. {@code -Dtest.operations=10000000} makes it long.
 */
@Tag("slow")
@Tag("once")
class TwoThreadsJobsTest {
    private static final long OPERATIONS = Long.getLong("test.operations", 20_000);
    /** A busy machine is no failure. */
    private static final long SECONDS = 150 + OPERATIONS / 2000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void threadsOfDifferentCommunicatorsDoNotMeet(int nodes) throws Exception {
        Path text = directory.resolve("text");
        List<String> command = TestJava.mpjrun("-np", "2");
        if (nodes > 1) {
            command.addAll(List.of("--nodes", "" + nodes, "-Dbrigade.fabric=pretended"));
        }
        command.addAll(List.of(TwoThreadsProgram.class.getName(), "" + OPERATIONS));
        EndedJob ended = EndedJob.of(new ProcessBuilder(command), text, SECONDS);
        String said = ended.text();
        assertEquals(0, ended.code(), said);
        assertEquals(Set.of("rank 0 passed", "rank 1 passed"),
            new TreeSet<>(said.lines().filter(line -> line.startsWith("rank ")).toList()), said);
    }
}

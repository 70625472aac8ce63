package org.brigade.launch.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.brigade.process.EndedJob;
import org.brigade.process.TestJava;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Persistent requests and matched probes among real processes, on one node and on two. */
@Timeout(300)
@Tag("slow")
class PersistentJobsTest {
    private static final int SECONDS = 150; // it takes two; a busy machine is no failure

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void everyRankGetsWhatTheOrdinaryCallsGive(int nodes) throws Exception {
        Path text = directory.resolve("text");
        List<String> command = TestJava.mpjrun("-np", "3");
        if (nodes > 1) {
            command.addAll(List.of("--nodes", "" + nodes, "-Dbrigade.fabric=pretended"));
        }
        command.add(PersistentProgram.class.getName());
        EndedJob ended = EndedJob.of(new ProcessBuilder(command), text, SECONDS);
        String said = ended.text();
        assertEquals(0, ended.code(), said);
        assertEquals(Set.of("rank 0 passed", "rank 1 passed", "rank 2 passed"),
            new TreeSet<>(said.lines().filter(line -> line.startsWith("rank ")).toList()), said);
    }
}

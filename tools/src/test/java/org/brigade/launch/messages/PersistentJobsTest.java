package org.brigade.launch.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
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
        Process job = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(text.toFile()).start();
        job.getOutputStream().close();
        if (!job.waitFor(SECONDS, TimeUnit.SECONDS)) {
            job.descendants().forEach(ProcessHandle::destroyForcibly);
            job.destroyForcibly();
            fail("the job does not end\n" + Files.readString(text));
        }
        String said = Files.readString(text);
        assertEquals(0, job.exitValue(), said);
        assertEquals(Set.of("rank 0 passed", "rank 1 passed", "rank 2 passed"),
            new TreeSet<>(said.lines().filter(line -> line.startsWith("rank ")).toList()), said);
    }
}
